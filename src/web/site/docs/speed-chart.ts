/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 438" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="145" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="263" y="40" fill="currentColor" font-size="13">0.25 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="230" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="348" y="62" fill="currentColor" font-size="13">0.40 ms, 1.6 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">0.67 ms, 2.6 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="78" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="196" y="106" fill="currentColor" font-size="13">0.14 ms, 0.5 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="145" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="263" y="166" fill="currentColor" font-size="13">0.19 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="273" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="391" y="188" fill="currentColor" font-size="13">0.36 ms, 1.9 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.50 ms, 2.6 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="75" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="193" y="232" fill="currentColor" font-size="13">0.10 ms, 0.5 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="208" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="326" y="292" fill="currentColor" font-size="13">16.05 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="376" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="494" y="314" fill="currentColor" font-size="13">29.01 ms, 1.8 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="336" fill="currentColor" font-size="13">29.30 ms, 1.8 x</text><text x="0" y="372" fill="currentColor" font-size="13" font-weight="bold">reject: forged signature</text><text x="0" y="396" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="385" width="380" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="498" y="396" fill="currentColor" font-size="13">16.22 ms</text><text x="0" y="418" fill="currentColor" font-size="13">hono</text><rect x="110" y="407" width="203" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="321" y="418" fill="currentColor" font-size="13">8.65 ms, 0.5 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.25", "1.00", "19.6", "201.6", "188"],
  ["unpaid 402 (POST)", "hono", "0.40", "1.59", "17.8", "143.2", "134"],
  ["unpaid 402 (POST)", "express", "0.67", "2.62", "28.9", "214.0", "172"],
  ["unpaid 402 (POST)", "node", "0.14", "0.54", "8.4", "167.6", "52"],
  ["unpaid 402 (GET)", "token-risk", "0.19", "1.00", "7.2", "71.9", "165"],
  ["unpaid 402 (GET)", "hono", "0.36", "1.89", "8.9", "121.8", "113"],
  ["unpaid 402 (GET)", "express", "0.50", "2.62", "10.9", "95.3", "218"],
  ["unpaid 402 (GET)", "node", "0.10", "0.52", "4.1", "51.8", "54"],
  ["paid ping, Base", "token-risk", "16.05", "1.00", "296.9", "2306.6", "248"],
  ["paid ping, Base", "hono", "29.01", "1.81", "380.4", "744.6", "240"],
  ["paid ping, Base", "express", "29.30", "1.83", "374.1", "697.0", "219"],
  ["free deep, warm", "token-risk", "5.27", "1.00", "543.6", "3769.4", "318"],
  ["MCP, unpaid", "token-risk", "5.49", "1.00", "132.6", "1271.3", "358"],
  ["reject: invalid input", "token-risk", "2.76", "1.00", "81.1", "491.6", "420"],
  ["reject: forged signature", "token-risk", "16.22", "1.00", "309.4", "684.8", "393"],
  ["reject: forged signature", "hono", "8.65", "0.53", "111.2", "262.1", "177"]
]

/** Screenings of unknown tokens, every upstream 50 ms away: what, and how long. */
export const coldRows: ReadonlyArray<ReadonlyArray<string>> = []

/** From a start to the first answer: milliseconds, and milliseconds of CPU. */
export const startRows: ReadonlyArray<ReadonlyArray<string>> = []

/** Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes. */
export const growthRows: ReadonlyArray<ReadonlyArray<string>> = []

/** Rows of the ledger, milliseconds a sale, times the empty ledger. */
export const ledgerRows: ReadonlyArray<ReadonlyArray<string>> = []
