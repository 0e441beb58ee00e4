/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 520" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="40" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="158" y="40" fill="currentColor" font-size="13">0.02 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="206" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="324" y="62" fill="currentColor" font-size="13">0.12 ms, 5.2 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.22 ms, 9.5 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="33" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="151" y="106" fill="currentColor" font-size="13">0.02 ms, 0.8 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="40" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="158" y="166" fill="currentColor" font-size="13">0.02 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="210" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="328" y="188" fill="currentColor" font-size="13">0.11 ms, 5.3 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.20 ms, 9.5 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="32" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="150" y="232" fill="currentColor" font-size="13">0.02 ms, 0.8 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="96" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="214" y="292" fill="currentColor" font-size="13">3.32 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="377" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="495" y="314" fill="currentColor" font-size="13">13.05 ms, 3.9 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">13.17 ms, 4.0 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">paid ping, Solana</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="184" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="302" y="396" fill="currentColor" font-size="13">3.21 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="418" fill="currentColor" font-size="13">6.65 ms, 2.1 x</text><text x="0" y="454" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="478" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="467" width="211" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="329" y="478" fill="currentColor" font-size="13">2.15 ms</text><text x="0" y="500" fill="currentColor" font-size="13">hono</text><rect x="110" y="489" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="500" fill="currentColor" font-size="13">3.87 ms, 1.8 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.02", "1.00", "0.3", "2.3", "158"],
  ["unpaid 402 (POST)", "hono", "0.12", "5.16", "1.7", "4.8", "135"],
  ["unpaid 402 (POST)", "express", "0.22", "9.50", "2.8", "8.2", "181"],
  ["unpaid 402 (POST)", "node", "0.02", "0.82", "0.3", "1.8", "55"],
  ["unpaid 402 (GET)", "token-risk", "0.02", "1.00", "0.3", "3.1", "160"],
  ["unpaid 402 (GET)", "hono", "0.11", "5.27", "1.6", "4.6", "146"],
  ["unpaid 402 (GET)", "express", "0.20", "9.52", "2.5", "9.3", "187"],
  ["unpaid 402 (GET)", "node", "0.02", "0.80", "0.2", "2.7", "58"],
  ["paid ping, Base", "token-risk", "3.32", "1.00", "34.9", "54.2", "188"],
  ["paid ping, Base", "hono", "13.05", "3.93", "116.9", "196.0", "257"],
  ["paid ping, Base", "express", "13.17", "3.96", "121.2", "247.9", "188"],
  ["paid deep, Base", "token-risk", "2.36", "1.00", "27.0", "28.0", "191"],
  ["paid ping, Solana", "token-risk", "3.21", "1.00", "50.1", "65.9", "205"],
  ["paid ping, Solana", "hono", "6.65", "2.07", "72.5", "89.6", "211"],
  ["paid deep, Solana", "token-risk", "5.02", "1.00", "46.4", "50.5", "206"],
  ["free deep, warm, 50 kept connections", "token-risk", "0.07", "1.00", "2.9", "10.8", "212"],
  ["MCP, unpaid", "token-risk", "1.16", "1.00", "15.3", "32.5", "227"],
  ["MCP, paid ping, Base", "token-risk", "4.65", "1.00", "44.0", "63.4", "228"],
  ["reject: invalid input", "token-risk", "0.08", "1.00", "1.0", "4.3", "228"],
  ["reject: forged signature", "token-risk", "2.15", "1.00", "15.6", "25.0", "228"],
  ["reject: forged signature", "hono", "3.87", "1.80", "35.1", "90.6", "220"],
  ["checkout verify, Base", "token-risk", "7.19", "1.00", "35.0", "38.1", "227"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["cold deep, base", "143 ms, 2.9 exchanges, 45 ms of the processor"],
  ["cold deep, solana", "124 ms, 2.5 exchanges, 23 ms of the processor"],
  ["cold ping, base", "145 ms, 2.9 exchanges, 56 ms of the processor"],
  ["cold ping, solana", "121 ms, 2.4 exchanges, 21 ms of the processor"],
  ["1,000 callers at once for one cold token, base", "20 requests to upstreams (20 for one caller)"],
  ["1,000 callers at once for one cold token, solana", "7 requests to upstreams (7 for one caller)"]
]

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = [["691 ms", "928 ms"]]

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["1", "1", "5862", "1", "0.12", "177"],
  ["1", "10", "12033", "8", "0.07", "177"],
  ["1", "100", "17885", "14", "0.05", "178"],
  ["1", "1,000", "13385", "143", "0.07", "188"],
  ["2", "1", "6456", "1", "0.13", "455"],
  ["2", "10", "12456", "5", "0.09", "458"],
  ["2", "100", "21644", "17", "0.06", "459"],
  ["2", "1,000", "12746", "441", "0.11", "469"]
]

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "0.96", "1.00"],
  ["1,000", "0.92", "0.95"],
  ["100,000", "0.93", "0.97"],
  ["1,000,000", "0.93", "0.97"]
]
