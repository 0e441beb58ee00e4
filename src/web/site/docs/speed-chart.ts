/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="45" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="163" y="40" fill="currentColor" font-size="13">0.04 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="203" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="321" y="62" fill="currentColor" font-size="13">0.19 ms, 4.5 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.36 ms, 8.4 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="35" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="153" y="106" fill="currentColor" font-size="13">0.03 ms, 0.8 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="38" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="156" y="166" fill="currentColor" font-size="13">0.04 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="206" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="324" y="188" fill="currentColor" font-size="13">0.19 ms, 5.4 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.36 ms, 9.9 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="35" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="153" y="232" fill="currentColor" font-size="13">0.03 ms, 0.9 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="90" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="208" y="292" fill="currentColor" font-size="13">3.16 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="314" fill="currentColor" font-size="13">13.40 ms, 4.2 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">13.39 ms, 4.2 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="174" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="292" y="396" fill="currentColor" font-size="13">2.58 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">5.65 ms, 2.2 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="168" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="286" y="478" fill="currentColor" font-size="13">1.74 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">3.92 ms, 2.3 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.04", "1.00", "0.6", "2.9", "162"],
  ["unpaid 402 (POST)", "hono", "0.19", "4.48", "2.8", "7.3", "160"],
  ["unpaid 402 (POST)", "express", "0.36", "8.40", "5.1", "13.7", "225"],
  ["unpaid 402 (POST)", "node", "0.03", "0.78", "0.5", "2.9", "55"],
  ["unpaid 402 (GET)", "token-risk", "0.04", "1.00", "0.5", "2.6", "164"],
  ["unpaid 402 (GET)", "hono", "0.19", "5.38", "3.1", "7.3", "194"],
  ["unpaid 402 (GET)", "express", "0.36", "9.93", "5.1", "14.4", "223"],
  ["unpaid 402 (GET)", "node", "0.03", "0.93", "0.5", "1.9", "55"],
  ["paid ping, Base", "token-risk", "3.16", "1.00", "51.0", "102.4", "216"],
  ["paid ping, Base", "hono", "13.40", "4.24", "182.5", "291.4", "270"],
  ["paid ping, Base", "express", "13.39", "4.24", "185.3", "310.5", "288"],
  ["paid deep, Base", "token-risk", "2.44", "1.00", "40.3", "50.9", "218"],
  ["paid ping, Solana", "token-risk", "2.58", "1.00", "46.3", "87.1", "224"],
  ["paid ping, Solana", "hono", "5.65", "2.19", "61.6", "125.4", "259"],
  ["paid deep, Solana", "token-risk", "3.09", "1.00", "35.8", "40.6", "216"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.07", "1.00", "3.1", "10.6", "223"],
  ["MCP, unpaid", "token-risk", "1.08", "1.00", "15.1", "35.9", "236"],
  ["MCP, paid ping, Base", "token-risk", "4.75", "1.00", "69.3", "127.1", "237"],
  ["reject: invalid input", "token-risk", "0.08", "1.00", "1.0", "5.2", "238"],
  ["reject: forged signature", "token-risk", "1.74", "1.00", "14.7", "40.0", "241"],
  ["reject: forged signature", "hono", "3.92", "2.26", "36.7", "72.2", "212"],
  ["checkout verify, Base", "token-risk", "6.30", "1.00", "47.4", "67.4", "238"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "135 ms, 2.7 exchanges, 44 ms of the processor"],
  ["cold deep, solana", "123 ms, 2.5 exchanges, 21 ms of the processor"],
  ["cold ping, base", "131 ms, 2.6 exchanges, 43 ms of the processor"],
  ["cold ping, solana", "122 ms, 2.4 exchanges, 17 ms of the processor"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (20 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["741 ms", "1021 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "5354", "1", "0.15", "183"],
  ["1", "10", "10618", "5", "0.09", "182"],
  ["1", "100", "14093", "21", "0.07", "185"],
  ["1", "1,000", "10815", "274", "0.08", "196"],
  ["2", "1", "5711", "1", "0.15", "465"],
  ["2", "10", "12227", "4", "0.11", "469"],
  ["2", "100", "17311", "25", "0.08", "470"],
  ["2", "1,000", "10605", "550", "0.13", "458"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.84", "1.00"],
  ["1,000", "0.80", "0.95"],
  ["100,000", "0.93", "1.11"],
  ["1,000,000", "0.81", "0.97"]
]
