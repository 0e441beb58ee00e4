/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="42" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="160" y="40" fill="currentColor" font-size="13">0.02 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="171" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="289" y="62" fill="currentColor" font-size="13">0.09 ms, 4.1 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.19 ms, 9.1 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="43" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="161" y="106" fill="currentColor" font-size="13">0.02 ms, 1.0 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="42" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="160" y="166" fill="currentColor" font-size="13">0.02 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="197" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="315" y="188" fill="currentColor" font-size="13">0.09 ms, 4.7 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.17 ms, 9.1 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="40" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="158" y="232" fill="currentColor" font-size="13">0.02 ms, 0.9 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="130" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="248" y="292" fill="currentColor" font-size="13">3.86 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="356" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="474" y="314" fill="currentColor" font-size="13">10.58 ms, 2.7 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">11.28 ms, 2.9 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="243" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="361" y="396" fill="currentColor" font-size="13">3.81 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">5.95 ms, 1.6 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="232" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="350" y="478" fill="currentColor" font-size="13">1.84 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">3.01 ms, 1.6 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.02", "1.00", "0.3", "4.0", "156"],
  ["unpaid 402 (POST)", "hono", "0.09", "4.12", "1.1", "4.6", "136"],
  ["unpaid 402 (POST)", "express", "0.19", "9.15", "2.3", "10.1", "203"],
  ["unpaid 402 (POST)", "node", "0.02", "1.04", "0.4", "3.1", "55"],
  ["unpaid 402 (GET)", "token-risk", "0.02", "1.00", "0.2", "3.9", "156"],
  ["unpaid 402 (GET)", "hono", "0.09", "4.71", "1.2", "4.9", "147"],
  ["unpaid 402 (GET)", "express", "0.17", "9.07", "1.9", "7.1", "186"],
  ["unpaid 402 (GET)", "node", "0.02", "0.95", "0.3", "4.6", "58"],
  ["paid ping, Base", "token-risk", "3.86", "1.00", "32.9", "66.3", "178"],
  ["paid ping, Base", "hono", "10.58", "2.74", "105.5", "174.5", "243"],
  ["paid ping, Base", "express", "11.28", "2.92", "111.0", "177.9", "255"],
  ["paid deep, Base", "token-risk", "3.19", "1.00", "30.8", "41.3", "180"],
  ["paid ping, Solana", "token-risk", "3.81", "1.00", "46.3", "56.1", "188"],
  ["paid ping, Solana", "hono", "5.95", "1.56", "54.7", "110.1", "206"],
  ["paid deep, Solana", "token-risk", "5.05", "1.00", "35.7", "43.4", "189"],
  ["free deep, warm", "token-risk", "0.27", "1.00", "13.6", "21.8", "206"],
  ["MCP, unpaid", "token-risk", "3.26", "1.00", "36.0", "56.2", "219"],
  ["MCP, paid ping, Base", "token-risk", "9.87", "1.00", "61.5", "135.3", "223"],
  ["reject: invalid input", "token-risk", "0.99", "1.00", "10.4", "24.4", "226"],
  ["reject: forged signature", "token-risk", "1.84", "1.00", "13.0", "24.4", "225"],
  ["reject: forged signature", "hono", "3.01", "1.64", "28.2", "49.3", "206"],
  ["checkout verify, Base", "token-risk", "11.73", "1.00", "39.5", "84.6", "225"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "252 ms, 5.0 exchanges"],
  ["cold deep, solana", "250 ms, 5.0 exchanges"],
  ["cold ping, base", "276 ms, 5.5 exchanges"],
  ["cold ping, solana", "238 ms, 4.8 exchanges"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (22 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "9 requests to upstreams (9 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["698 ms", "918 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "4957", "2", "0.15", "196"],
  ["1", "10", "9175", "7", "0.10", "191"],
  ["1", "100", "12045", "26", "0.07", "192"],
  ["1", "1,000", "7729", "264", "0.12", "202"],
  ["2", "1", "4675", "2", "0.17", "465"],
  ["2", "10", "5049", "15", "0.26", "478"],
  ["2", "100", "7230", "64", "0.17", "449"],
  ["2", "1,000", "7194", "759", "0.16", "451"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.72", "1.00"],
  ["1,000", "0.79", "1.10"],
  ["100,000", "0.73", "1.02"],
  ["1,000,000", "0.75", "1.04"]
]
