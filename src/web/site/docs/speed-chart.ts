/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="52" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="170" y="40" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="198" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="316" y="62" fill="currentColor" font-size="13">0.10 ms, 3.8 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.19 ms, 7.3 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="38" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="156" y="106" fill="currentColor" font-size="13">0.02 ms, 0.7 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="65" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="183" y="166" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="200" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="318" y="188" fill="currentColor" font-size="13">0.09 ms, 3.1 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.17 ms, 5.9 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="46" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="164" y="232" fill="currentColor" font-size="13">0.02 ms, 0.7 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="121" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="239" y="292" fill="currentColor" font-size="13">4.45 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="314" fill="currentColor" font-size="13">14.01 ms, 3.1 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="333" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="451" y="336" fill="currentColor" font-size="13">12.28 ms, 2.8 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="299" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="417" y="396" fill="currentColor" font-size="13">4.96 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">6.30 ms, 1.3 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="221" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="339" y="478" fill="currentColor" font-size="13">2.63 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">4.52 ms, 1.7 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.03", "1.00", "0.3", "3.5", "156"],
  ["unpaid 402 (POST)", "hono", "0.10", "3.82", "1.2", "4.3", "136"],
  ["unpaid 402 (POST)", "express", "0.19", "7.31", "2.2", "11.3", "170"],
  ["unpaid 402 (POST)", "node", "0.02", "0.73", "0.3", "2.3", "54"],
  ["unpaid 402 (GET)", "token-risk", "0.03", "1.00", "0.3", "4.2", "154"],
  ["unpaid 402 (GET)", "hono", "0.09", "3.08", "1.2", "7.7", "147"],
  ["unpaid 402 (GET)", "express", "0.17", "5.86", "2.0", "6.9", "213"],
  ["unpaid 402 (GET)", "node", "0.02", "0.72", "0.3", "6.5", "58"],
  ["paid ping, Base", "token-risk", "4.45", "1.00", "46.4", "59.2", "178"],
  ["paid ping, Base", "hono", "14.01", "3.15", "139.6", "244.1", "215"],
  ["paid ping, Base", "express", "12.28", "2.76", "120.0", "215.8", "252"],
  ["paid deep, Base", "token-risk", "3.68", "1.00", "45.5", "49.5", "179"],
  ["paid ping, Solana", "token-risk", "4.96", "1.00", "48.0", "113.1", "189"],
  ["paid ping, Solana", "hono", "6.30", "1.27", "67.0", "130.8", "246"],
  ["paid deep, Solana", "token-risk", "6.40", "1.00", "44.9", "47.3", "191"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.09", "1.00", "3.7", "13.4", "217"],
  ["MCP, unpaid", "token-risk", "1.54", "1.00", "17.4", "49.6", "232"],
  ["MCP, paid ping, Base", "token-risk", "7.13", "1.00", "55.8", "147.6", "230"],
  ["reject: invalid input", "token-risk", "1.31", "1.00", "13.7", "37.5", "232"],
  ["reject: forged signature", "token-risk", "2.63", "1.00", "20.0", "35.2", "228"],
  ["reject: forged signature", "hono", "4.52", "1.72", "36.5", "116.1", "246"],
  ["checkout verify, Base", "token-risk", "6.73", "1.00", "38.1", "40.6", "227"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "196 ms, 3.9 exchanges, 74 ms of the processor"],
  ["cold deep, solana", "136 ms, 2.7 exchanges, 30 ms of the processor"],
  ["cold ping, base", "191 ms, 3.8 exchanges"],
  ["cold ping, solana", "131 ms, 2.6 exchanges"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (18 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["811 ms", "1089 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "5683", "2", "0.13", "185"],
  ["1", "10", "17183", "4", "0.05", "186"],
  ["1", "100", "14381", "17", "0.07", "190"],
  ["1", "1,000", "10021", "234", "0.10", "199"],
  ["2", "1", "5998", "1", "0.13", "462"],
  ["2", "10", "10328", "7", "0.13", "473"],
  ["2", "100", "12489", "44", "0.12", "474"],
  ["2", "1,000", "10774", "475", "0.13", "478"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.95", "1.00"],
  ["1,000", "0.93", "0.98"],
  ["100,000", "1.05", "1.11"],
  ["1,000,000", "0.97", "1.02"]
]
