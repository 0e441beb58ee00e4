/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="58" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="176" y="40" fill="currentColor" font-size="13">0.05 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="169" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="287" y="62" fill="currentColor" font-size="13">0.13 ms, 2.9 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.30 ms, 6.5 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="35" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="153" y="106" fill="currentColor" font-size="13">0.03 ms, 0.6 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="33" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="151" y="166" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="158" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="276" y="188" fill="currentColor" font-size="13">0.12 ms, 4.7 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.30 ms, 11.4 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="32" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="150" y="232" fill="currentColor" font-size="13">0.02 ms, 0.9 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="126" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="244" y="292" fill="currentColor" font-size="13">5.36 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="374" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="492" y="314" fill="currentColor" font-size="13">15.92 ms, 3.0 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">16.19 ms, 3.0 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="208" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="326" y="396" fill="currentColor" font-size="13">5.88 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">10.72 ms, 1.8 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="237" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="355" y="478" fill="currentColor" font-size="13">3.67 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">5.88 ms, 1.6 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.05", "1.00", "0.4", "7.7", "161"],
  ["unpaid 402 (POST)", "hono", "0.13", "2.91", "2.0", "9.0", "137"],
  ["unpaid 402 (POST)", "express", "0.30", "6.55", "4.0", "12.5", "219"],
  ["unpaid 402 (POST)", "node", "0.03", "0.60", "0.4", "4.0", "55"],
  ["unpaid 402 (GET)", "token-risk", "0.03", "1.00", "0.3", "3.3", "156"],
  ["unpaid 402 (GET)", "hono", "0.12", "4.74", "1.9", "7.5", "136"],
  ["unpaid 402 (GET)", "express", "0.30", "11.37", "3.8", "17.9", "201"],
  ["unpaid 402 (GET)", "node", "0.02", "0.95", "0.3", "3.5", "58"],
  ["paid ping, Base", "token-risk", "5.36", "1.00", "43.1", "107.4", "173"],
  ["paid ping, Base", "hono", "15.92", "2.97", "160.5", "283.4", "242"],
  ["paid ping, Base", "express", "16.19", "3.02", "166.9", "321.9", "274"],
  ["paid deep, Base", "token-risk", "4.86", "1.00", "44.8", "53.2", "177"],
  ["paid ping, Solana", "token-risk", "5.88", "1.00", "78.0", "92.7", "182"],
  ["paid ping, Solana", "hono", "10.72", "1.82", "106.3", "142.7", "266"],
  ["paid deep, Solana", "token-risk", "8.05", "1.00", "61.4", "66.3", "181"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.10", "1.00", "4.4", "13.0", "198"],
  ["MCP, unpaid", "token-risk", "2.16", "1.00", "26.1", "74.0", "223"],
  ["MCP, paid ping, Base", "token-risk", "5.63", "1.00", "53.2", "79.5", "222"],
  ["reject: invalid input", "token-risk", "0.14", "1.00", "1.6", "11.0", "223"],
  ["reject: forged signature", "token-risk", "3.67", "1.00", "30.6", "43.8", "227"],
  ["reject: forged signature", "hono", "5.88", "1.60", "53.5", "103.4", "266"],
  ["checkout verify, Base", "token-risk", "7.87", "1.00", "44.6", "50.7", "226"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "168 ms, 3.4 exchanges, 67 ms of the processor"],
  ["cold deep, solana", "129 ms, 2.6 exchanges, 29 ms of the processor"],
  ["cold ping, base", "166 ms, 3.3 exchanges"],
  ["cold ping, solana", "130 ms, 2.6 exchanges"],
  ["1,000 callers at once for one cold token, base", "18 requests to upstreams (18 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["1084 ms", "1465 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "4801", "1", "0.17", "175"],
  ["1", "10", "11520", "5", "0.08", "175"],
  ["1", "100", "9190", "50", "0.09", "177"],
  ["1", "1,000", "8871", "278", "0.10", "187"],
  ["2", "1", "5468", "1", "0.15", "454"],
  ["2", "10", "10655", "7", "0.12", "457"],
  ["2", "100", "17837", "33", "0.07", "458"],
  ["2", "1,000", "11018", "528", "0.13", "463"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.94", "1.00"],
  ["1,000", "1.01", "1.07"],
  ["100,000", "0.83", "0.88"],
  ["1,000,000", "0.93", "0.99"]
]
