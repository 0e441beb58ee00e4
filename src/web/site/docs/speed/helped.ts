import type { Rows } from "./where.ts"

/** Cold screenings. */
export const HELPED_SCREENINGS: Rows = [
  [
    "Storage read before the pools are known",
    "Code, events and market data are back while the node still asks its factories. Where the pools are the expected ones, nothing is asked again. Each part of a wave is sent before the next is put together. The factories are asked in two calls of one batch, which a node answers side by side (3.1 ms instead of 4.4). A cold ping on Base: 0.95 to 0.97 in four runs; at the lower quarter 129 to 130 ms instead of 134 to 136, with real-time priority on a machine five times overloaded. No more CPU. A shorter, later run on an idle machine: 139 ms on Base, 124 on Solana."
  ],
  [
    "Collecting young garbage while waiting for the node",
    "A cold screening on Base allocates 12 MB, and nearly every one paid a collection of 3 to 8 ms between its waves. V8 is asked for one once ten milliseconds have passed with next to nothing done and a third of the room is taken. Together with the next row, in three runs on a machine three to four times overloaded: 0.93 of the time of a report (154 ms instead of 164, 153 for 161, 158 for 172), 0.95 of a ping, and 0.93 to 0.98 of the CPU."
  ],
  [
    "Questions that are the same for all tokens",
    "The thousand questions of the first wave are put together as bytes once. The wave leaves 5 ms after the request instead of 7."
  ],
  [
    "Cheaper trials",
    "Unpredictable bytes were drawn one by one, which was half of a screening's 14,300 steps. Four words are drawn now and the rest is hashed from them. Calls are put together as words instead of by a lookup in the ABI; property tests compare both. The 460 questions to factories are put together once for all tokens. More than a quarter less CPU: 95 ms instead of 133 at the median of the fifth to the twentieth screening, 83 instead of 113 after that, on a machine ten times overloaded."
  ],
  [
    "SHA-256 instead of Keccak for the numbers of a trial",
    "The runtime has it in native code, and 571 of them stand between the waves on Base. 2 ms, or 0.986 of the whole."
  ],
  [
    "Work moved out of the gaps between waves",
    "A thousand hashes are worked out while the node works, and a wave is sent as it is put together. In two runs on a machine five and ten times overloaded, the second wave's first question leaves 8 to 10 ms after the first wave's last answer instead of 18, and the report comes 10 to 13 ms after the last answer instead of 15 to 16. The effect on the whole is not known better: 165 instead of 172 ms at the lower quarter in one run, 193 and 195 in the other."
  ],
  [
    "HTTP/2 where a node offers it",
    "One connection carries the ten exchanges of a wave, so none waits for a handshake after a pause. Same CPU as kept HTTP/1.1 connections: 3.5 to 4.0 ms against 3.5 to 4.6 for ten exchanges of 18 KB over TLS."
  ],
  [
    "Exchanges without a stream",
    "The library made a stream of every answer and read it again: half of an exchange's CPU."
  ],
  [
    "Keys of mappings hashed in kept buffers",
    "1.2 microseconds each instead of 1.8, and half of what they allocated. A cold screening on Base hashes a thousand."
  ]
]

/** Sales: what is asked, written and computed for a payment. */
export const HELPED_SALES: Rows = [
  [
    "One call tries all payments of three milliseconds",
    "A reader contract lets each call write with bounded gas and reads the payers' code beside it. A trial less than a block old is also the last check before the sending. Before, each payment asked three times."
  ],
  ["Batches to the node", "Quick reads of one turn of the event loop travel in one HTTP batch."],
  [
    "Shared commits",
    "Ledger transactions that come together share one commit, so one wait for the disk. Nobody is told of success before it is there. A transfer and its record are in one commit. That a node took a transaction is written only when no block holds it at the next look."
  ],
  [
    "Fewer and smaller statements",
    "At equal batches 8.3 statements a sale instead of 9.1, half a page of the log and some 12 steps less. Statements skip the SQL library's span, scope and cache, which took more time than SQLite itself."
  ],
  [
    "SQLite's rollback data in memory",
    "It was written to files, as many pages as to the log: 71 writes a sale, now 37."
  ],
  [
    "Solana: our own decoder",
    "One decoding and one signature instead of a dozen and three, three durable waits instead of six, one question for all that wait. In one run with @x402/hono on a busy machine: 3.9 ms of CPU a payment where it takes 6.8, and 136 payments a second where it takes 105. Before, both warm, 15.2 ms where it took 8.8. Tests compare the decoder with the official scheme."
  ],
  [
    "First look after 15 ms at the latest",
    "On a chain that makes blocks at once, a sale that comes alone took 35 ms instead of 49. Learned without that bound, the wait grew to two seconds under load and stayed there."
  ],
  [
    "Fewer steps and fibers",
    "A sale took 2,900 steps in 23 fibers, then 1,300 in fourteen, then 880 in eight, then 785, then 730. The step from 1,300 to 880 (one fiber for all time limits of a length) saved an eighth to a fifth of the CPU in one run. The step from 785 to 730 saved 15, 10, 9 and 4 per cent in four runs and cost 7 in a fifth: about a tenth, and not known better."
  ],
  [
    "Pairs and time limits of our own",
    "Running two effects at once took the library a tenth of a millisecond, a time limit nearly as long. Ours take a third to two thirds of that. A schedule for repeating a statement begins when the statement has failed."
  ],
  [
    "No router for a plain paid or free call",
    "Router, decoding and middleware took a quarter of a sale's steps and copied a context of thirty-five services ten times. A property test compares both ways."
  ],
  [
    "No services carried along",
    "A fiber copies its context when it adds a service. With forty services around a request it did so twenty-five times a sale: a fifth of the 2.4 MB that a sale allocated."
  ],
  ["Log lines only where their level is written", "A twenty-fifth of a sale that nobody logs."],
  [
    "No spans where traces go nowhere",
    "The library makes, fills and closes one that nobody sees. Where traces go to a collector, one request in twenty has them (TRACE_SAMPLE_RATIO), and the others take the short ways."
  ],
  ["Errors and renewals made when they are due", "Both took a stack trace from every sale."],
  ["Bytes of a transaction joined once", "And a job is not decoded again by the process that wrote it."],
  ["Logs of a receipt compared by topic", "Decoding every log by the ABI took a twelfth of a sale."],
  [
    "Closing what is in a safe block",
    "It reads that and nothing above it. Before, everything not yet safe was read every fifteen seconds, a hundred-and-fiftieth of a warm benchmark."
  ],
  ["Looking at payments under way", "Only those that wait for a block are read with all they carry."],
  ["Kept connections with a deadline", "Instead of two racing fibers for each exchange with the node."],
  [
    "Native secp256k1",
    "About a thirtieth of the time of pure JavaScript, for payers' signatures and our own transactions. Without it, and without WebAssembly for Keccak, the service says so when it starts and works on."
  ]
]

/** Calls that nobody pays for. */
export const HELPED_FREE: Rows = [
  [
    "Answers from memory past Node's own headers",
    "One text with its time and its id. Up to a third off an unpaid request, and most of what was above bare Node. Callers whose connection ends with the answer still get Node's way; a test compares both."
  ],
  [
    "Free calls of one round of the loop together",
    "They are counted in one transaction and answered from bytes, without a fiber or a slot of their own. 0.12 ms of CPU instead of 0.36 on a busy machine, and at 50 connections a quarter of the time."
  ],
  [
    "Their commit does not wait for the disk",
    "Counts survive a killed process. A power failure loses some free calls. A commit with anything else in it waits as before."
  ],
  [
    "A thread brings SQLite's log to the disk behind those commits",
    "Else SQLite does when it moves its log, every tenth of a second: 6 ms of the loop for 1,000 pages, 4 now. Side by side in three runs, the 99th percentile of warm reports was 11.6, 10.9 and 11.5 ms instead of 15.3, 14.5 and 12.0, at the same CPU."
  ],
  [
    "Counting by the database, row by row",
    "With 100,000 calls in the window a reservation takes 0.09 ms of CPU instead of 11.6. Reports from the cache are attested once. With both, and without the router, a free report takes 0.44 ms instead of 1.86, in one run."
  ],
  [
    "Unpaid tool calls from prepared bytes",
    "As unpaid requests are answered, where a call is written as the official clients of the older generations write it. 0.07 ms of CPU instead of 1.0. A property test compares both ways, byte for byte."
  ],
  [
    "Tool calls, lists and handshakes sent in one piece",
    "Older MCP clients got a stream inside a stream, a third of an unpaid call (0.66 on a busy machine) and two fifths of a list of tools (1.1 to 0.7 ms). A call also keeps its slot, time limit and log line until it has ended."
  ],
  [
    "No AsyncLocalStorage in tool calls",
    "It hooks every promise of the process from its first use on. An unpaid tool call: 0.96."
  ],
  [
    "Idle loops that slow down",
    "A process that nobody asked took a twentieth of a core, most of it for ten looks a second at what other processes hand over. They are four times rarer once twenty have found nothing."
  ]
]

/** What requests allocate, and when it is collected. */
export const HELPED_MEMORY: Rows = [
  [
    "Requests' objects die young",
    "V8 put objects among the old ones at once where such objects had lived long during the start. It is told not to. 9 per cent of what a paid call allocates grows old instead of 12, of a free one 6 instead of 12, and a young collection takes two thirds and half as long. Together with three smaller changes to jobs and rows, on an overloaded machine: 0.94, 0.94 and 0.99 of the CPU of a paid ping, 0.94 of a free report."
  ],
  [
    "Full collections only when the process is calm",
    "Asked also while it worked, a sale took a seventh more CPU (0.86, 0.93 and 0.85 in three runs). Where little has gathered, V8 is asked after eight calm seconds, not four: a full collection drops compiled code, and bursts seconds apart compiled it anew (0.92 of the CPU; V8's helper threads 0.50 ms a sale instead of 0.87)."
  ],
  [
    "Object literals { ...a, b }",
    "The V8 of Node 20 makes a hidden class for each such object: 0.6 microseconds instead of 0.03. The build writes { ...null, ...a, b }, which means the same, in 785 places. With the next row a free report takes 0.06 ms of CPU instead of 0.09, and 1 per cent of what it allocates grows old instead of 6."
  ],
  [
    "Generator functions made once",
    "V8 gives each one that was just made a prototype and a class: 1.4 microseconds. A sale on Base made twenty-one. An answer that takes the long way (a 404) takes 0.23 ms instead of 0.32. A paid ping takes 0.85 with these three changes."
  ],
  [
    "No sets that live long and change all the time",
    "A set leaves V8 dead tables that keep requests alive long after they ended. The library's list of fibers, the time limits (alone, a sixth of everything allocated grew old) and the requests of a connection were such sets."
  ]
]
