/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="55" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="173" y="40" fill="currentColor" font-size="13">0.04 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="198" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="316" y="62" fill="currentColor" font-size="13">0.15 ms, 3.6 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.29 ms, 6.9 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="52" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="170" y="106" fill="currentColor" font-size="13">0.04 ms, 1.0 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="33" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="151" y="166" fill="currentColor" font-size="13">0.02 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="181" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="299" y="188" fill="currentColor" font-size="13">0.13 ms, 5.4 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.27 ms, 11.4 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="44" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="162" y="232" fill="currentColor" font-size="13">0.03 ms, 1.3 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="81" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="199" y="292" fill="currentColor" font-size="13">3.24 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="342" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="460" y="314" fill="currentColor" font-size="13">13.63 ms, 4.2 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">15.16 ms, 4.7 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="165" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="283" y="396" fill="currentColor" font-size="13">3.55 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">8.16 ms, 2.3 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="163" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="281" y="478" fill="currentColor" font-size="13">2.53 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">5.89 ms, 2.3 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.04", "1.00", "0.6", "2.9", "158"],
  ["unpaid 402 (POST)", "hono", "0.15", "3.62", "2.0", "6.1", "135"],
  ["unpaid 402 (POST)", "express", "0.29", "6.95", "3.3", "11.5", "198"],
  ["unpaid 402 (POST)", "node", "0.04", "0.96", "0.6", "3.2", "55"],
  ["unpaid 402 (GET)", "token-risk", "0.02", "1.00", "0.3", "2.7", "161"],
  ["unpaid 402 (GET)", "hono", "0.13", "5.44", "1.8", "5.9", "137"],
  ["unpaid 402 (GET)", "express", "0.27", "11.40", "3.0", "10.7", "195"],
  ["unpaid 402 (GET)", "node", "0.03", "1.31", "0.4", "2.4", "58"],
  ["paid ping, Base", "token-risk", "3.24", "1.00", "32.0", "55.9", "187"],
  ["paid ping, Base", "hono", "13.63", "4.21", "130.8", "198.3", "212"],
  ["paid ping, Base", "express", "15.16", "4.68", "134.3", "252.6", "249"],
  ["paid deep, Base", "token-risk", "3.19", "1.00", "37.8", "39.5", "193"],
  ["paid ping, Solana", "token-risk", "3.55", "1.00", "56.3", "75.8", "189"],
  ["paid ping, Solana", "hono", "8.16", "2.30", "81.0", "139.0", "167"],
  ["paid deep, Solana", "token-risk", "5.61", "1.00", "44.5", "56.8", "192"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.08", "1.00", "3.7", "11.1", "216"],
  ["MCP, unpaid", "token-risk", "1.62", "1.00", "17.5", "71.6", "237"],
  ["MCP, paid ping, Base", "token-risk", "5.17", "1.00", "48.9", "92.8", "234"],
  ["reject: invalid input", "token-risk", "0.09", "1.00", "1.2", "2.5", "234"],
  ["reject: forged signature", "token-risk", "2.53", "1.00", "18.4", "36.4", "237"],
  ["reject: forged signature", "hono", "5.89", "2.33", "43.9", "140.9", "164"],
  ["checkout verify, Base", "token-risk", "7.63", "1.00", "43.1", "43.8", "234"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "155 ms, 3.1 exchanges, 61 ms of the processor"],
  ["cold deep, solana", "128 ms, 2.6 exchanges, 26 ms of the processor"],
  ["cold ping, base", "145 ms, 2.9 exchanges, 56 ms of the processor"],
  ["cold ping, solana", "122 ms, 2.4 exchanges, 16 ms of the processor"],
  ["1,000 callers at once for one cold token, base", "18 requests to upstreams (18 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["742 ms", "1053 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "5446", "1", "0.15", "179"],
  ["1", "10", "12724", "4", "0.08", "179"],
  ["1", "100", "16311", "12", "0.06", "180"],
  ["1", "1,000", "11807", "184", "0.08", "190"],
  ["2", "1", "5569", "1", "0.14", "453"],
  ["2", "10", "8798", "6", "0.16", "464"],
  ["2", "100", "12361", "38", "0.13", "441"],
  ["2", "1,000", "10577", "544", "0.14", "450"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.88", "1.00"],
  ["1,000", "0.95", "1.07"],
  ["100,000", "0.98", "1.11"],
  ["1,000,000", "0.80", "0.91"]
]
