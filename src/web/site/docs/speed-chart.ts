/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="43" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="161" y="40" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="215" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="333" y="62" fill="currentColor" font-size="13">0.16 ms, 5.0 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.29 ms, 8.9 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="35" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="153" y="106" fill="currentColor" font-size="13">0.03 ms, 0.8 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="40" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="158" y="166" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="233" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="351" y="188" fill="currentColor" font-size="13">0.15 ms, 5.8 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.24 ms, 9.5 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="34" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="152" y="232" fill="currentColor" font-size="13">0.02 ms, 0.8 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="78" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="196" y="292" fill="currentColor" font-size="13">2.45 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="379" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="497" y="314" fill="currentColor" font-size="13">11.91 ms, 4.9 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">11.95 ms, 4.9 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="159" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="277" y="396" fill="currentColor" font-size="13">2.30 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">5.51 ms, 2.4 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="153" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="271" y="478" fill="currentColor" font-size="13">1.46 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">3.64 ms, 2.5 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.03", "1.00", "0.4", "2.6", "159"],
  ["unpaid 402 (POST)", "hono", "0.16", "5.02", "2.2", "6.5", "135"],
  ["unpaid 402 (POST)", "express", "0.29", "8.87", "3.7", "11.6", "210"],
  ["unpaid 402 (POST)", "node", "0.03", "0.83", "0.4", "2.8", "58"],
  ["unpaid 402 (GET)", "token-risk", "0.03", "1.00", "0.3", "1.8", "163"],
  ["unpaid 402 (GET)", "hono", "0.15", "5.80", "2.0", "5.8", "135"],
  ["unpaid 402 (GET)", "express", "0.24", "9.47", "3.1", "9.2", "225"],
  ["unpaid 402 (GET)", "node", "0.02", "0.85", "0.3", "2.6", "59"],
  ["paid ping, Base", "token-risk", "2.45", "1.00", "36.9", "76.1", "214"],
  ["paid ping, Base", "hono", "11.91", "4.85", "170.3", "266.8", "276"],
  ["paid ping, Base", "express", "11.95", "4.87", "169.8", "259.8", "289"],
  ["paid deep, Base", "token-risk", "3.14", "1.00", "46.9", "67.4", "197"],
  ["paid ping, Solana", "token-risk", "2.30", "1.00", "43.9", "80.6", "217"],
  ["paid ping, Solana", "hono", "5.51", "2.39", "60.1", "107.5", "262"],
  ["paid deep, Solana", "token-risk", "2.90", "1.00", "34.6", "90.7", "215"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.07", "1.00", "3.1", "10.6", "227"],
  ["MCP, unpaid", "token-risk", "1.01", "1.00", "13.8", "73.0", "237"],
  ["MCP, paid ping, Base", "token-risk", "4.60", "1.00", "67.3", "111.5", "236"],
  ["reject: invalid input", "token-risk", "0.08", "1.00", "1.0", "6.2", "235"],
  ["reject: forged signature", "token-risk", "1.46", "1.00", "13.0", "21.5", "236"],
  ["reject: forged signature", "hono", "3.64", "2.49", "33.6", "52.2", "255"],
  ["checkout verify, Base", "token-risk", "5.96", "1.00", "44.0", "72.4", "235"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "137 ms, 2.7 exchanges, 48 ms of the processor"],
  ["cold deep, solana", "129 ms, 2.6 exchanges, 26 ms of the processor"],
  ["cold ping, base", "134 ms, 2.7 exchanges, 46 ms of the processor"],
  ["cold ping, solana", "119 ms, 2.4 exchanges, 14 ms of the processor"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (20 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["718 ms", "980 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "5067", "1", "0.15", "180"],
  ["1", "10", "12177", "4", "0.08", "179"],
  ["1", "100", "17792", "16", "0.05", "182"],
  ["1", "1,000", "11595", "247", "0.08", "191"],
  ["2", "1", "5083", "1", "0.17", "438"],
  ["2", "10", "11822", "5", "0.11", "441"],
  ["2", "100", "17884", "23", "0.07", "441"],
  ["2", "1,000", "10863", "515", "0.12", "447"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.76", "1.00"],
  ["1,000", "0.77", "1.01"],
  ["100,000", "0.76", "1.00"],
  ["1,000,000", "0.76", "1.01"]
]
