/** Rows of `/docs/speed`: a topic, and what is to be said of it. */
export type Rows = ReadonlyArray<readonly [topic: string, text: string]>

/** Requests that cost no screening and no settlement. */
export const UNPAID: Rows = [
  [
    "Unpaid request (402)",
    "The answer is prepared once per operation and method, and written in one piece before the router. It costs about what bare Node costs for the same bytes. What is left is the kernel sending seven kilobytes, Node's HTTP parser, and less than a tenth of our own code."
  ],
  [
    "Fairness between callers",
    "Requests are taken in turns, caller by caller. Without that, one address that sends thousands of requests ahead stops everybody for seconds."
  ],
  [
    "Wrong input (400)",
    "Rejected at the same place, by the schema the router decodes with and in its words: 0.09 ms of CPU. The full path takes 0.73 ms."
  ],
  [
    "Forged signature",
    "One call to the chain tries the transfer and reads the payer's code. Only a payer with code is asked further, because its consent cannot be checked here."
  ],
  [
    "Free report from the cache",
    "At fifty connections the slowest hundredth waits three to five times the median. Both processors are full then, and a process waits 10 to 17 ms for one. Processes that do nothing at all see the same gaps."
  ]
]

/** Paid calls. */
export const SALES: Rows = [
  [
    "Calls to the node, Base",
    "A payment that comes alone takes four: a trial, the sending, the count of the key's transactions, the receipt. At ten connections payments share them, and one takes 0.5 (npx tsx scripts/bench/calls.ts). The official library takes 8.6."
  ],
  [
    "Calls to the node, Solana",
    "Four questions: is the transaction known, a trial, the sending, did it land. The first and the last share a call with those of other payments. Trials and sendings within a few milliseconds share an HTTP batch."
  ],
  [
    "Durable writes",
    "Three: the claim, the signed bytes, and the transfer with its sale. Payments that come together share them."
  ],
  [
    "Waiting for a block",
    "Base makes one every two seconds. Payments that come meanwhile share the next transaction."
  ],
  [
    "CPU: V8's compiler",
    "A fifth, in threads of its own. Between the 600th and the 2,200th payment it compiles 600 functions, nearly all for the first time. Only fifteen are thrown away again."
  ],
  [
    "CPU: SQLite",
    "An eighth of the serving thread, half of it in the kernel: eight statements, most of them small, a third to a half of a commit, and sixteen pages of the log."
  ],
  [
    "CPU beside @x402/hono's",
    "Depends on the state of the machine more than on what has been tried lately. One evening the same two processors, otherwise idle, took 2.9 ms for our ping and 12.4 for its (0.23 and 0.24 in two runs), and two hours later 3.9 to 4.9 and 14 to 18 (0.27 to 0.31 in eight). Perhaps because more of ours runs seldom, and finds less in the processor's caches."
  ],
  ["CPU: garbage collection", "A tenth of the serving thread. A sale allocates 0.7 MB."],
  [
    "CPU: everything else",
    "Two thirds of it run in code that is not optimised yet: Effect's runtime, which makes a sale cancellable and its failures typed (some 715 steps in seven fibers), connections to the node and the caller, encoding, hashing, signing. No single function takes more than a fiftieth."
  ]
]

/** Screenings of a token that is not in the cache. */
export const SCREENINGS: Rows = [
  [
    "Code that is compiled again and again",
    "V8 keeps the optimised code of a closure for as long as one made at the same place lives, and a screening's closures die with it: every full collection, one for some fifteen screenings, drops the code of hundreds. Compiling it again takes other threads 13 to 17 ms of CPU for each cold screening on Base, as much as half of what the serving thread takes, while the local node needs the same two processors."
  ],
  [
    "Exchanges with the node, Base",
    "Each wave of reads is one exchange. Two for an ordinary token in a V2-type pool. Three behind a proxy, or where a prediction turns out wrong. Four where positions or a V4 pool must be looked into. Before, every screening took four or five."
  ],
  [
    "Exchanges with the node, Solana",
    "Two where every pool follows from the mint and RugCheck tells whose the largest accounts are. Three where it does not, or where market data must name the pool. Four for somebody's position, a bin or a curve's settings. Before, every token took four."
  ],
  [
    "Ping or deep report",
    "Both take as many exchanges: a ping calls a token safe on the same evidence. Of a token just looked at, either takes none."
  ],
  [
    "Reads made ahead, Base",
    "A pool's state is read with the factory's answer. What purchases bring and what buyers hold is predicted from the reserves and the token's events, and what follows from it is asked in the same wave. The answer counts only where the amounts prove right to the unit."
  ],
  [
    "Reads made ahead, Solana",
    "Owners and vaults that other sources name are read a wave before the accounts that prove them. An answer counts only where the whole evidence makes the same transaction to the byte. Compared on a busy machine, a cold report takes 134 ms instead of 255, and 31 ms of CPU instead of 38."
  ],
  [
    "CPU beside the two exchanges",
    "46 to 48 ms on Base in the run drawn here, 14 to 26 on Solana. On Base 11 to 13 of them are the local node's, which answers one call after another. Ours are some 5 ms before the first wave, 17 from its last answer to the second wave's last question, and 4 after the last answer."
  ],
  [
    "What keeps the local node busy",
    "On a slower machine, asked one after another, the questions of one screening took it 30 ms: 8 for the blocks that wallets live through, 6 for the storage of holders, 5 for single trials, 5 for the factories."
  ],
  [
    "What the benchmark adds",
    "The proxies that make the upstreams 50 ms away only pass on bytes. Earlier ones read what passed, and took 26 ms of CPU for each screening, as much as the node. The engine of the cold ping runs as the build has it, 0.95 to 0.98 of its time through a loader, and keeps no spans: with them it took 136 ms instead of 132. Timers of Node's are up to two milliseconds late, so the proxies wait for the last two by the clock."
  ],
  [
    "Sharing two processors",
    "After an earlier run, on an otherwise idle machine: 137 to 140 ms for a cold ping on Base where the kernel divides the processors among the service, its node and the proxies, 129 to 131 ms where all three have real-time priority. The serving thread waits 11 ms for a processor in the first case, 5 in the second. A node on another machine takes nothing of this."
  ],
  [
    "V8's compiler",
    "Code that runs once a screening is compiled late: with real-time priority 132 to 135 ms for the 40th to the 60th screening, 129 to 130 for the 140th to the 200th. The benchmark counts after the 150th."
  ]
]

/** Under load and under attack. */
export const LOAD: Rows = [
  [
    "Seventeen attacks (npm run test:hostile:service), idle machine",
    "The event loop stood still for 11 to 38 ms by the service's own doing. A payer at another address waited 0.5 s at most. A health check on a connection of its own waited 0.3 s at most in fifteen of them, 0.8 s beside requests for paths that nobody has, and 1.2 s beside 512 bodies broken off at once, where new connections keep coming."
  ],
  [
    "Why they wait at all",
    "While connections keep coming, work waits for them, and one round of the loop reads two megabytes. Fibers run for ten milliseconds of a round, and requests sent ahead wait for the answer before them."
  ],
  [
    "Memory after an attack",
    "Given back within seconds: V8 is made to collect, and an allocator that keeps nothing returns it to the system."
  ],
  [
    "A log that nobody reads",
    "The lines of a turn are written together, one write at a time, and no request waits for a disk or a reader. Where nothing is taken, four million characters wait, and lines beyond are lost and counted in the log. Before, they took memory without bound. A line costs the same 45 microseconds of CPU either way."
  ],
  [
    "Warm reports: the slowest hundredth",
    "Every tenth of a second SQLite moves its log to the database's file, and the fifty callers who wait just then are the slowest hundredth. Most of it was the wait for the disk to take the log, which a thread brings there beforehand now. Collections take 1 to 2 ms each. Half of what was measured here was the benchmark's own: collections of its caller took 10 to 40 ms, until it took nothing new for an answer. The rest is the machine: both processors are full, and in six runs the 99th percentile was 6.4 to 9.8 ms."
  ],
  [
    "Large documents, tool calls",
    "They once stopped the loop for 105 and 135 ms. The library of the tool calls builds its schemas after the start now."
  ],
  [
    "Requests that the protocol's library reads",
    "Handshakes and lists of tools take it 0.7 ms, calls that pay 1.5. With fifty of them under way, collections find so much alive that each takes 5 to 7 ms, a quarter of the serving thread. An unpaid call of a tool, which most callers begin with, is none of them any more."
  ],
  [
    "Collections with helper threads",
    "Once 100 to 200 ms, of which 5 to 15 were work and the rest waiting for a helper that was not scheduled. The serving thread collects alone now."
  ],
  [
    "A second worker",
    "One worker uses 1.1 to 1.2 processors at its limit, and its caller takes a part, so on two processors a second one brings what was idle, and more where many requests are under way: each of two collects among half of them. By lists of tools it brought 1.83, 1.99 and 2.03 times the requests at fifty connections, and 1.5 to 1.7 at sixteen. The benchmark prints both shares."
  ]
]
