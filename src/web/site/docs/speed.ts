import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, join, section, table } from "../layout.ts"
import { coldRows, growthRows, ledgerRows, speedChart, speedRows, startRows } from "./speed-chart.ts"

const list = (...items: ReadonlyArray<string | Markup>): Markup =>
  html`<ul>
    ${join(items.map((item) => html`<li>${item}</li>`))}
  </ul>`

/** A table of what the last full run measured; nothing where it was run without this part. */
const measuredAs = (
  title: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Markup> => (rows.length === 0 ? [] : [section(title, table(heads, rows))])

/** Where the rest of the time goes, and what each part of it buys. */
const remaining = (): Markup =>
  section(
    "Where the remaining time goes",
    list(
      "An unpaid request is answered from bytes prepared per operation and method, before the router, and written to the connection in one piece. It costs about what bare Node costs for the same bytes: what is left is the system's part of sending seven kilobytes, Node's own HTTP parser, and less than a tenth of ours. A part of it is the price of taking what arrives in turns, caller by caller: without it one address that sends thousands of requests ahead stops everybody for seconds. An input that is wrong is rejected there too, by the schema the router decodes with and in its words: 0.09 ms of the processor, where the long way takes 0.73.",
      "A sale on Base that comes alone asks its node four times: a trial, the sending, the count of the key's transactions, the receipt. At ten connections payments share them, and one asks 0.5 times (npx tsx scripts/bench/calls.ts) where the official library asks 8.6 times. It waits for three durable writes, which others share too: the claim, the signed bytes, and the transfer with its sale. Of its processor time a fifth is V8's optimising compiler in threads of its own: between the 600th and the 2,200th payment it compiles 600 functions, nearly all for the first time, and only fifteen are thrown away again. Of what the serving thread does an eighth is SQLite, half of that in the kernel (eight statements, most of them small, a third of a commit to a half, and sixteen pages of the log); a tenth is collecting; of the rest two thirds run in code that is not optimised yet, in the runtime that makes a sale cancellable and its failures typed (some 715 steps in seven fibers), in the connections to the node and the caller, in encoding, hashing and signing. No single function has more than a fiftieth: what counts is how much code there is on the way, how many small steps, and what they allocate (0.7 MB).",
      "A sale on Solana asks its node four things: whether its transaction is known, a trial, the sending, and whether it landed. The first and the last share a call with those of others, and trials and sendings of a few milliseconds share an HTTP batch. It waits for the same three durable writes. Beside that it is what a sale on Base is.",
      "A forged signature costs one call of the chain, which tries the transfer and reads the payer's code: only a payer with code may have agreed in a way that cannot be seen here, and is asked further.",
      "In the seventeen attacks of npm run test:hostile:service, on an idle machine, the event loop stood still for 6 to 36 ms by the service's own doing, a payer at another address waited 0.4 s at most, and a health check on a connection of its own 0.22 s: while connections keep coming work waits for them, and one round of the loop reads two megabytes. What an attack took is given back within seconds: V8 is made to collect, and an allocator that keeps nothing for later gives it to the system. Fibers go on for ten milliseconds of a round of the loop, requests sent ahead wait for the answer before them, and the library of the tool calls builds its schemas after the start: before, large documents and tool calls had taken 105 and 135 ms. Collections that shared their work with helper threads once took 100 to 200 ms there, of which 5 to 15 were work and the rest was waiting for a helper that was not let run: the thread that serves collects alone now.",
      "Beside its two exchanges a cold screening on Base took 70 to 90 ms in the run drawn here: half of it was what the local node and the doubles of the market computed, which share two processors with the service and its caller; the rest is ours, some 10 ms before the first wave, between the two, and behind them. On Solana it was some 30 ms altogether. Alone the node takes 4 ms for the calls of the first wave and 13 for those of the second, one after another. The market's doubles, which asked that same node a dozen times for each answer, have their answers ready since, as the real ones do, and what delays the node's answers costs a third: one after the other on a busy machine, the same build then took 172 ms instead of 245 for a report on Base, and 134 instead of 165 on Solana.",
      "The slowest hundredth of free reports at fifty connections waits three to five times the median: both processors are full then, and a process that has to wait for one, the service or its caller, waits for 10 to 17 ms; processes that do nothing at all see the same gaps.",
      "One worker uses 1.2 processors at its limit, because V8 compiles and marks in threads of its own: on two processors a second worker can bring some 1.6 times the calls. It brought 1.54 in one run and 1.95 in another, where each call took a fifth less with two than with one. The bench prints both.",
      "A waiting sale waits for a block: Base makes one in two seconds, and payments that come meanwhile share the next transaction.",
      "Two workers share the processors with each other, with their callers, and with what one worker already uses of a second one, because V8 compiles and collects in threads of its own. On two processors they can bring what one leaves idle: npm run bench says how much that was beside what they brought, by tool calls, which cost a caller least.",
      "A cold screening waits for its node: each wave of reads is one exchange, and the waves that do not need each other run together. On Base there are two for an ordinary token in a V2-type pool, three behind a proxy or where something turns out other than foretold, four where positions or a V4 pool must be looked into, on Solana two where every pool follows from the mint and RugCheck tells whose the largest accounts are, three where it does not or where market data must name the pool, four where somebody's position, a bin or a curve's settings must be looked into; a ping takes as many, because it calls a token safe on the same evidence. On Solana the owners and vaults that others tell are read a wave before the accounts that name them, and trades begin with what is known: an answer counts where the whole evidence makes the same transaction to the byte, and before every token took four. Side by side on a busy machine a cold report there takes 134 ms where it took 255, and 31 ms of processor time where it took 38: trials are planned once where nothing more is read, and seeds, wallets and decoded accounts are kept. On Base a pool's state comes with the factory's word for it, and trades and the search for holders begin with the second wave. What purchases bring and what buyers hold is foretold from the reserves and the token's events, and what follows on it asked with it: the answer counts where the amounts prove right to the unit. Before, every screening on Base took four or five."
    )
  )

/** What made it faster. */
const helped = (): Markup =>
  section(
    "What helped",
    list(
      "Writing an answer from memory past Node's own way of heads and ends, in one text with its time and its id: it took up to a third off an unpaid request, and most of what was above bare Node. Callers whose connection ends with the answer still get Node's way, and a test compares both.",
      "What requests allocate dies young: V8 put objects among the old ones at once wherever such objects had lived long while the program started, and what these refer to stayed until the next full collection. It is told not to. Of what a paid call allocates 9 per cent grow old instead of 12, of a free one 6 instead of 12, and a collection of the young takes two thirds and half as long. Together with jobs that get their nonce in one statement for all of a transaction, a look at the journal that a new payment does not need, and rows that are written without their schema: turn by turn with the build before, on a machine whose processors were asked for several times over, 0.94, 0.94 and 0.99 of its processor time for a paid ping, and 0.94 for a free report.",
      "Of a cold screening on Base, more than a quarter of its processor time: 95 ms where it took 133 at the median of the fifth to the twentieth, 83 where it took 113 after that, in turns with the build before on a machine asked for ten times over. Bytes that nobody can foresee were drawn one by one, which was half of its 14,300 steps; four words are drawn now, and the rest is hashed from them. What the trials send was encoded by looking every function up in its ABI, with its name hashed anew; it is put together as words, and property tests compare both. The 460 questions to factories are put together once for all tokens, what is read of a pool that may be found stands in the batch and in memory once, and nothing is made of the answers that found none. What is left is spread thin: of what the serving thread does a sixth is collecting and a tenth the connections to the node, and a third of all runs on threads of V8 itself.",
      "What became of all payments of a transaction written in one statement, no index of the states of jobs that do not wait, and a sale whose fiber refs nobody copies at its end: at equal batches 8.3 statements a sale instead of 9.1, half a page of the log and some 12 steps less.",
      "Fewer fibers once more: the time limit of work and verification is a part of the pair that runs them, and the fees are looked at while the trial is under way, without fibers of their own. Each copies all fiber refs. With it and the four changes below a sale takes 730 steps instead of 785, counted alike. Side by side with the build before, on a machine whose processors were asked for five times over, it took 15, 10, 9 and 4 per cent less processor time in four runs and 7 more in a fifth: about a tenth, and not known better.",
      "Of a cold screening on Base, what stands between and behind its waves: a thousand hashes that followed the last answer are worked out while the node works; what a wave asks leaves as it is put together, the storage first and trades last, where it left when all was ready, and the node, which works off one call after another, waited for it; what is there already is taken without setting a time limit. Turn by turn with the build before, in two runs on a machine whose processors were asked for five and ten times over: the second wave's first question leaves 8 to 10 ms after the first wave's last answer where it took 18, and the report comes 10 to 13 ms after the last answer instead of 15 to 16. Of the whole, which there is mostly waiting for a processor, no more than that can be said: at the lower quarter 165 instead of 172 ms in one run, 193 and 195 in the other; which medians were better changed from run to run.",
      "On Solana, in one run with @x402/hono on a busy machine: 3.9 ms of processor time a payment where it takes 6.8, and 136 a second where it takes 105; before, both warm, 15.2 where it took 8.8. A decoder of our own took the place of the general codecs (a seventh of a sale, most of it base58), one decoding and one signature that of a dozen and three; the official scheme, which decodes and verifies all of it once more, is what tests compare with. Three durable waits instead of six, one question for all that wait, and a look after 15 ms at the latest.",
      "What a work in a shared transaction is undone with stays in memory. SQLite wrote it to files, as many pages as to its log: 71 writes a sale, now 37.",
      "V8 is asked to collect when the process is calm. Asked every other time something had gathered, also while it worked, a sale took a seventh more (0.86, 0.93 and 0.85 of the build before in three runs, turn by turn).",
      "HTTP/2 where a node offers it, learned from a handshake beside the first exchange: one connection carries the ten exchanges of a wave, so that none waits for a handshake of its own after a pause. It costs what kept connections of HTTP/1.1 cost (3.5 to 4.0 against 3.5 to 4.6 ms of processor time for ten exchanges of 18 KB over TLS, turn by turn).",
      "Exchanges with a node without a stream: the library's request makes one of every answer and reads it again. Half of the processor time of an exchange.",
      'Bytes of a transaction joined once as bytes; an error that says "too late" made when it is too late, and the renewal of a lease when it is due: both took a stack trace from every sale. A job is not decoded again by the process that wrote it.',
      "The first look at a transaction that was just sent comes as soon as the chain has lately made blocks, and after 15 ms at the latest: on one that makes them at once a sale alone took 35 ms instead of 49. Learned without that bound, the wait grew to two seconds under load and stayed there.",
      "One fiber for all time limits of a length. A sale sets half a dozen limits and renewals, none of which is reached, and each took a fiber that was ended again; with it and with fewer steps for the clock, the ledger's transactions, the slots and the counters a sale took some 880 steps in eight fibers instead of 1,300 in fourteen: an eighth to a fifth less processor time, in one run with the build before.",
      "A request's log line is put together only where its level is written: it took a twenty-fifth of a sale that nobody logs.",
      "Fewer steps: a sale took 2,900 steps of the runtime in 23 fibers. Two effects at once through the library's way for lists take a tenth of a millisecond, a time limit nearly as long; pairs and limits of our own take a third to two thirds of it. A schedule for repeating a statement is begun when it has failed, not before: five schedules a sale drove nothing. What pairs and limits set in fiber refs is not handed on: nobody sets any, and handing them on copied every ref nine times a sale.",
      "A tool call's answer read to its end and sent in one piece, where clients of the older generations are given a stream: streams of the web and of the runtime, one into the other, took a third of an unpaid call (0.66 of the build before, turn by turn on a busy machine). It also gives the call its slot, its time limit and its line in the log until it has ended; opened before the call began, the stream had ended all three at once.",
      "Object literals that begin with a spread, { ...a, b }: the V8 of Node 20 gives each object that such a literal makes a hidden class of its own. That takes 0.6 microseconds instead of 0.03, code that reads the object later finds nothing it knows, and the classes with all they refer to stay until the next full collection. The build writes { ...null, ...a, b }, which is the same, in 785 places, most of them in libraries. With the next point a free report takes 0.06 ms of processor time instead of 0.09, and 1 per cent of what it allocates grows old instead of 6.",
      "Generator functions that are made once, not for every call: to run one that was just made V8 gives it a prototype and a class of its own, which takes 1.4 microseconds and keeps all that it closes over until the next full collection. A sale on Base made twenty-one of them; they are effects of arguments (Effect.fnUntraced, or a generator beside the function) now. Nor does a request become the prototype of another object, which keeps it the same way. An answer that takes the long way (a 404) takes 0.23 ms instead of 0.32, and nothing of it grows old; a paid ping takes 0.85 of the build before these three changes, turn by turn.",
      "Nothing that lives long and changes with every request is a set: each leaves V8 dead tables, which refer to the next one and to whoever stood in them, so that requests that ended long ago are copied by every small collection, become old and bring on the next full one. The library's list of its fibers, the time limits (with nothing else but them a sixth of everything allocated grew old) and the requests of a connection were such sets. Exchanges for viem run on the service's scheduler: the library's own keeps what it knows of a fiber in a map that does the same.",
      "What is known of a tool call's request goes beside the request, not through Node's AsyncLocalStorage, which hooks every promise of the process from its first use on: an unpaid tool call takes 0.96 of it, turn by turn.",
      "Free calls whose report is known have no fiber and no slot of their own: those that come in one round of the event loop are counted in one transaction and answered from bytes. And their commit does not wait for the disk. What a killed process has counted stays counted; what a power failure takes is some calls that nobody paid for. A commit with anything else in it waits as before. With one statement for all of them a free report takes a third of the processor time, 0.12 ms where the build before takes 0.36, turn by turn on a busy machine, and at 50 connections a quarter of the time.",
      "Free calls counted by the database with every row that comes or goes, instead of anew for every call: with 100,000 calls in the window a reservation takes 0.09 ms of processor time instead of 11.6. A report out of the cache is attested once for all whom it is free for; with both, and without the router, a free report takes 0.44 ms where it took 1.86, in one run with the build before.",
      "A plain paid or free call is served without the router, its decoding and its middleware: they took a quarter of a sale's steps, and copied a context of thirty-five services ten times. A property test compares both ways.",
      "Closing what is in a safe block reads that and nothing above it: every fifteen seconds all that was not safe yet was read and decoded, on Base some minutes of sales, which was a hundred-and-fiftieth of a warm bench.",
      "A look at what is under way reads what waits for a block with all it carries; of what a block holds it reads where, and the rest only when that block is gone.",
      "No services carried along: a fiber copies its context when it adds a service to it. With forty services around a request it did so twenty-five times a sale, a fifth of the 2.4 MB that a sale allocated.",
      "Idle loops that slow down: a process that nobody asked took a twentieth of a core, most of it for looks, ten a second, at what other processes hand over. They are four times rarer once twenty have found nothing.",
      "One call tries all payments that come within three milliseconds, by a reader of our own that lets a call write with bounded gas and reads the payers' code beside it. A trial of less than a block ago is the last look before the sending. Before, each payment asked three times.",
      "Quick reads of one turn of the event loop travel in one HTTP batch.",
      "Whoever waits for a transfer hears of it beside its record, so that both are in one commit; that a node took a transaction is written only when no block holds it at the next look.",
      "Spans are not made where traces go nowhere: the library makes, fills and closes one that nobody sees.",
      "Transactions of the ledger that come together share one commit, and so one wait for the disk. Nobody is told of success before it is there.",
      "Statements skip the SQL library's span, scope and cache, which took more time than SQLite itself.",
      "Logs of a receipt are compared by topic; decoding every log by the ABI took a twelfth of a sale.",
      "Kept connections to the node with a deadline instead of two racing fibers per exchange.",
      "The native secp256k1 library, for payers' signatures and for our own transactions: about a thirtieth of the time of pure JavaScript. Without it, and without WebAssembly for Keccak, the service says so when it starts and works on."
    )
  )

/** What did not. */
const didNotHelp = (): Markup =>
  section(
    "What was tried and did not help",
    list(
      "Claims that come in one turn as one statement, transaction and fiber, and transfers with their sales alike: four statements a sale instead of nine and a fifteenth fewer steps, and no less processor time (0.98 to 1.07 of the build before in four runs, turn by turn on a busy machine; with nothing but the ledger, both 0.5 ms for claim and settle on SQLite). Three quarters of what the ledger takes are SQLite's own, most of that in commits, which were shared before; longer statements of changing length cost what fewer of them save. Pages of 1, 2, 8 or 16 kilobytes instead of 4, and a larger page cache, took no less.",
      html`${code("fetch")} takes three times the processor's time of undici's ${code("request")} for the same
      exchange.`,
      "Asking a story's dice ahead, beside the first wave: six hundred hashes less between the waves are a millisecond at most, and putting together a story of no pool, to learn what it asks for, costs two to three of processor time.",
      "More memory for V8: by default a heap of 50 MB may grow to 200 before it is collected. Collected after 60 per cent of growth the process needs some 60 MB less at a thousand connections, a full collection is shorter, and a request costs no more; after 30 per cent it costs an eighth more. A smaller young generation saves 16 MB more, but set from the command line V8 refuses the code that was compiled with the build, and every start takes twice as long.",
      "Keeping V8 from forgetting the bytecode of functions that were not called for a while: no difference.",
      "Telling V8's compiler to wait longer, to inline less, to compile without optimising at once or to watch functions from their first call: with the code compiled under the same flags, so that V8 takes it, eight combinations in one run with none stood between 7 per cent less and 7 per cent more, which is what two runs of the same differ by.",
      "Marking the heap without helper threads: a sale takes more, not less.",
      "A log of 4,000 pages instead of 1,000 before it is copied back: a seventh of SQLite's part, a fiftieth of a sale, for a log of sixteen megabytes; not kept.",
      "Larger young generations and scavenges without helper threads: no difference that shows beside the machine's own moods.",
      "Giving the HTTP parser back its shortcut past the input turns: it would save a twentieth of an unpaid request, but one read then holds over a thousand requests that nothing can stop.",
      "Syncing SQLite's log in a thread of libuv's instead of in the commit. A sync takes 3.7 ms here, with the loop standing still: what comes meanwhile is worked off together afterwards. Without the pause sales were no more, and each took a tenth more processor time. On a disk that takes tens of milliseconds it would be right.",
      "More connections that may wait to be accepted, alone: 4,096 instead of Node's 511. The loop accepts one a round (libuv since 1.45), and under attack a round took up to 18 ms: dead connections waited in front of living ones, and after chunks of one byte the service was back after 15 s instead of 1.5. With 511 the system drops the first packet of the next connection, which comes again after a second. It holds together with work that waits while connections keep coming, 24 ms at most: where 1,000 connections that ask for large documents open at once, a health check waits 70 ms instead of 530 at the median of five and 204 instead of 2,253 at the worst. It is 2,048 now: 4,096 connections that were broken off at once kept everybody waiting for 4.6 s after the attack, on a busy machine, where these take 0.7. Sixteen empty rounds after each full one accept more, and served fewer payers. Turns of half the length did not let it accept more.",
      "A longer warm-up for payments: the ratio to other servers after a thousand payments is that after a hundred. For unpaid requests it matters: a server that has answered a thousand spends half of its time on compiling, and what was measured then was the compiler. Every server is warm now before anything is counted, and the caller is cheaper than any server, so that none waits for it.",
      "Writing an answer as two pieces, or copying both into a buffer first: up to a tenth and a sixth slower than one text."
    )
  )

/** `/docs/speed`: what a request costs beside other servers, where the rest of the time goes, what did not help. */
export const speed = (): Markup =>
  html`<section class="card">
      <h1>Speed</h1>
      <p>
        Processor time of the server per request, in one run with all servers side by side on the same local
        chains, taking turns. Payments are verified and settled for real and the ledger is on disk. Ratios
        hold on other machines; milliseconds are of the machine that ran it. ${code("npm run bench")} repeats
        it, ${code("npm run bench:chart")} draws it.
      </p>
      <div class="scroll" tabindex="0">${speedChart}</div>
    </section>
    ${section(
      "In figures",
      table(["What", "Server", "CPU ms", "times ours", "p50 ms", "p99 ms", "MB at most"], speedRows)
    )}
    ${join(
      [
        measuredAs("Unknown tokens, every upstream 50 ms away", ["What", "Median"], coldRows),
        measuredAs("From a start to the first answer", ["Median", "CPU"], startRows),
        measuredAs(
          "More connections, more workers",
          ["Workers", "Connections", "Requests a second", "p99 ms", "CPU ms", "MB"],
          growthRows
        ),
        measuredAs("A full ledger", ["Rows", "Claim and settle, ms", "times the empty ledger"], ledgerRows)
      ].flat()
    )}
    ${remaining()} ${helped()} ${didNotHelp()}`
