import type { Rows } from "./where.ts"

/** What was tried and not kept. */
export const NOT_HELPED: Rows = [
  [
    "Starting on a token's pools before all factories have answered",
    "1.01, 1.01 and 1.02 of the time of a cold ping on Base, with real-time priority: the node shares two processors with the service. Questions to factories first: 1.03. Half of these questions left out: 0.99 to 1.00. V8's helper threads at a lower priority: 1.01 and 1.02."
  ],
  [
    "Ending a round of the event loop when a node was asked",
    "A question can wait up to 14 ms while fibers go on, but the heaviest one leaves no sooner: 0.98 to 1.02 of a cold screening, and rather more CPU for a sale. Rounds of 5, 2 and 1 ms instead of 10: 0.99 to 1.04."
  ],
  [
    "A heap that may grow fourfold between full collections",
    "Fewer of them drop the optimised code of closures: other threads took 11 ms of CPU instead of 17 for a cold screening, which came 1 to 5 ms sooner. With 2 and 2.5 times instead of 1.6 there was no difference. Not kept: bursts would keep their memory for minutes."
  ],
  [
    "The two heaviest questions of a screening as exchanges of their own",
    "A node works on a batch one after another, but has no second processor to spare: 0.97 to 1.01 of a cold ping, three runs each."
  ],
  ["Trades before the search for holders", "1.03 of a cold screening."],
  [
    "Asking first for the blocks that wallets live through",
    "The node was done 2 ms earlier and the report came no sooner."
  ],
  [
    "Random numbers of a trial worked out during the first wave",
    "Saves a millisecond at most and costs two to three of CPU."
  ],
  [
    "Claims of one turn as one statement",
    "Four statements a sale instead of nine, a fifteenth fewer steps, and no less CPU: 0.98 to 1.07 in four runs on a busy machine. With the ledger alone both take 0.5 ms for claim and settle. Three quarters of that is SQLite's own, most of it commits, which were shared already."
  ],
  ["SQLite pages of 1, 2, 8 or 16 KB, a larger page cache", "No less CPU than pages of 4 KB."],
  [
    "An SQLite log of 4,000 or 8,000 pages instead of 1,000",
    "At 4,000 a seventh of SQLite's part, a fiftieth of a sale, for a log of sixteen megabytes. Its moves to the database's file are rarer and longer: the 99th percentile of warm reports was 9.5 to 16.0 ms at 4,000 and 6.6 to 17.1 at 8,000, 8.3 to 10.3 at 1,000. With 250 pages and with the log brought to the disk beforehand it made no difference. Not kept."
  ],
  [
    "Syncing SQLite's log in another thread",
    "A sync takes 3.7 ms here with the loop standing still, and what comes meanwhile is handled together afterwards. Without that pause there were no more sales, and each took a tenth more CPU. On a disk that takes tens of milliseconds it would be right."
  ],
  [
    "Commits that do not wait for the disk",
    "0.95 of a sale's CPU: what a commit costs is SQLite, not the wait."
  ],
  ["fetch instead of undici's request", "Three times the CPU for the same exchange."],
  [
    "A heap that grows less before it is collected",
    "After 60 per cent of growth the process needs some 60 MB less at a thousand connections and a request costs no more; after 30 per cent it costs an eighth more. A smaller young generation saves 16 MB more, but set on the command line V8 refuses the build's compiled code, and every start takes twice as long."
  ],
  [
    "A young generation of 16 or 32 MB, collections by one thread",
    "1.00 to 1.03 of a cold screening. For other requests no difference that stands out from the machine's own noise."
  ],
  [
    "Collecting at a fixed time of every screening",
    "V8's own collection came all the same, in the next piece of work."
  ],
  ["Marking the heap without helper threads", "A sale takes more CPU."],
  [
    "Fewer V8 helper threads than four",
    "With one or two a sale took 0.91 and 0.94 of the CPU in one run, 1.00 and 1.03 in a longer one."
  ],
  [
    "V8 flags for its compiler",
    "Waiting longer, inlining less, compiling without optimising at once, watching functions from their first call: eight combinations stood between 7 per cent less and 7 per cent more, which is what two equal runs differ by."
  ],
  ["Keeping the bytecode of functions that were not called for a while", "No difference."],
  [
    "The HTTP parser's shortcut past the input turns",
    "It would save a twentieth of an unpaid request, but one read could then hold over a thousand requests that nothing can stop."
  ],
  [
    "A longer queue of connections, alone",
    "With Node's 511 the system drops the first packet of the next connection, which comes again after a second. With 4,096 alone, dead connections waited in front of living ones: the loop accepts one a round (libuv since 1.45), a round took up to 18 ms under attack, and after chunks of one byte the service was back after 15 s instead of 1.5."
  ],
  [
    "The queue that was kept: 2,048",
    "It works together with requests that wait up to 24 ms while connections keep coming. Where 1,000 connections that ask for large documents open at once, a health check waits 70 ms instead of 530 at the median of five, 204 instead of 2,253 at the worst. 4,096 connections broken off at once kept everybody waiting for 4.6 s on a busy machine; 2,048 for 0.7. Sixteen empty rounds after each full one accept more and served fewer payers. Turns of half the length did not accept more."
  ],
  [
    "A longer warm-up of the benchmark",
    "For payments the ratio to other servers after a thousand is that after a hundred. After 2,400, when V8 has compiled what it will, ours takes a twentieth to a tenth less beside them, which is less than two equal runs differ by. For unpaid requests it matters: a server that has answered a thousand still spends half of its time compiling. Every server is warm now before anything is counted, and the caller is cheaper than any server."
  ],
  ["An answer in two pieces, or copied into a buffer", "Up to a tenth and a sixth slower than one text."]
]
