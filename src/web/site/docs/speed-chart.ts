/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="44" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="162" y="40" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="217" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="335" y="62" fill="currentColor" font-size="13">0.14 ms, 5.0 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.25 ms, 8.7 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="35" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="153" y="106" fill="currentColor" font-size="13">0.02 ms, 0.8 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="48" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="166" y="166" fill="currentColor" font-size="13">0.03 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="233" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="351" y="188" fill="currentColor" font-size="13">0.14 ms, 4.8 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.23 ms, 7.9 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="36" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="154" y="232" fill="currentColor" font-size="13">0.02 ms, 0.7 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="75" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="193" y="292" fill="currentColor" font-size="13">2.57 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="373" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="491" y="314" fill="currentColor" font-size="13">12.77 ms, 5.0 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">13.00 ms, 5.1 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="152" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="270" y="396" fill="currentColor" font-size="13">2.40 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">6.01 ms, 2.5 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="171" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="289" y="478" fill="currentColor" font-size="13">1.62 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">3.61 ms, 2.2 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.03", "1.00", "0.4", "1.5", "158"],
  ["unpaid 402 (POST)", "hono", "0.14", "4.96", "2.0", "4.5", "153"],
  ["unpaid 402 (POST)", "express", "0.25", "8.66", "3.3", "8.6", "221"],
  ["unpaid 402 (POST)", "node", "0.02", "0.80", "0.3", "1.3", "59"],
  ["unpaid 402 (GET)", "token-risk", "0.03", "1.00", "0.4", "1.8", "163"],
  ["unpaid 402 (GET)", "hono", "0.14", "4.85", "2.0", "4.7", "135"],
  ["unpaid 402 (GET)", "express", "0.23", "7.91", "3.1", "8.3", "224"],
  ["unpaid 402 (GET)", "node", "0.02", "0.75", "0.3", "1.5", "60"],
  ["paid ping, Base", "token-risk", "2.57", "1.00", "42.9", "65.9", "208"],
  ["paid ping, Base", "hono", "12.77", "4.97", "186.1", "294.8", "278"],
  ["paid ping, Base", "express", "13.00", "5.06", "186.9", "290.2", "280"],
  ["paid deep, Base", "token-risk", "2.45", "1.00", "44.6", "92.2", "209"],
  ["paid ping, Solana", "token-risk", "2.40", "1.00", "44.2", "95.4", "217"],
  ["paid ping, Solana", "hono", "6.01", "2.50", "64.5", "101.6", "280"],
  ["paid deep, Solana", "token-risk", "3.28", "1.00", "40.0", "51.3", "201"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.06", "1.00", "2.7", "6.6", "220"],
  ["MCP, unpaid", "token-risk", "0.06", "1.00", "0.9", "2.8", "223"],
  ["MCP, list of tools", "token-risk", "0.77", "1.00", "9.6", "39.5", "234"],
  ["MCP, paid ping, Base", "token-risk", "5.16", "1.00", "69.3", "126.6", "229"],
  ["reject: invalid input", "token-risk", "0.10", "1.00", "1.1", "5.9", "231"],
  ["reject: forged signature", "token-risk", "1.62", "1.00", "13.4", "83.1", "231"],
  ["reject: forged signature", "hono", "3.61", "2.22", "32.5", "75.9", "202"],
  ["checkout verify, Base", "token-risk", "7.07", "1.00", "46.8", "94.8", "230"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "130 ms, 2.6 exchanges, 37 ms of the processor"],
  ["cold deep, solana", "122 ms, 2.4 exchanges, 22 ms of the processor"],
  ["cold ping, base", "127 ms, 2.5 exchanges, 37 ms of the processor"],
  ["cold ping, solana", "117 ms, 2.3 exchanges, 13 ms of the processor"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (23 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["702 ms", "962 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "6374", "1", "0.13", "182"],
  ["1", "10", "13253", "3", "0.07", "182"],
  ["1", "100", "14355", "21", "0.07", "185"],
  ["1", "1,000", "10099", "286", "0.07", "197"],
  ["2", "1", "5391", "1", "0.15", "433"],
  ["2", "10", "11279", "4", "0.12", "434"],
  ["2", "100", "12009", "36", "0.12", "436"],
  ["2", "1,000", "10041", "542", "0.14", "445"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "1.19", "1.00"],
  ["1,000", "1.23", "1.03"],
  ["100,000", "1.03", "0.87"],
  ["1,000,000", "1.03", "0.86"]
]
