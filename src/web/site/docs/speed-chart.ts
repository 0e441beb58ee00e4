/** Written by `npm run bench:chart` from the last full run of `npm run bench`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = {
  markup:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 356" role="img" aria-label="CPU time of the server per request, by case and server"><text x="0" y="16" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (POST)</text><text x="0" y="40" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="29" width="130" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="248" y="40" fill="currentColor" font-size="13">0.38 ms</text><text x="0" y="62" fill="currentColor" font-size="13">hono</text><rect x="110" y="51" width="219" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="337" y="62" fill="currentColor" font-size="13">0.63 ms, 1.7 x</text><text x="0" y="84" fill="currentColor" font-size="13">express</text><rect x="110" y="73" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="84" fill="currentColor" font-size="13">1.10 ms, 2.9 x</text><text x="0" y="106" fill="currentColor" font-size="13">node</text><rect x="110" y="95" width="100" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="218" y="106" fill="currentColor" font-size="13">0.29 ms, 0.8 x</text><text x="0" y="142" fill="currentColor" font-size="13" font-weight="bold">unpaid 402 (GET)</text><text x="0" y="166" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="155" width="160" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="278" y="166" fill="currentColor" font-size="13">0.32 ms</text><text x="0" y="188" fill="currentColor" font-size="13">hono</text><rect x="110" y="177" width="236" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="354" y="188" fill="currentColor" font-size="13">0.47 ms, 1.5 x</text><text x="0" y="210" fill="currentColor" font-size="13">express</text><rect x="110" y="199" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="210" fill="currentColor" font-size="13">0.76 ms, 2.4 x</text><text x="0" y="232" fill="currentColor" font-size="13">node</text><rect x="110" y="221" width="88" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="206" y="232" fill="currentColor" font-size="13">0.18 ms, 0.6 x</text><text x="0" y="268" fill="currentColor" font-size="13" font-weight="bold">paid ping, Base</text><text x="0" y="292" fill="currentColor" font-size="13">token-risk</text><rect x="110" y="281" width="327" height="14" rx="2" fill="#0b5" fill-opacity="1"/><text x="445" y="292" fill="currentColor" font-size="13">32.72 ms</text><text x="0" y="314" fill="currentColor" font-size="13">hono</text><rect x="110" y="303" width="380" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="498" y="314" fill="currentColor" font-size="13">37.97 ms, 1.2 x</text><text x="0" y="336" fill="currentColor" font-size="13">express</text><rect x="110" y="325" width="347" height="14" rx="2" fill="currentColor" fill-opacity="0.45"/><text x="465" y="336" fill="currentColor" font-size="13">34.64 ms, 1.1 x</text></svg>'
}

/** The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB. */
export const speedRows: ReadonlyArray<ReadonlyArray<string>> = [
  ["unpaid 402 (POST)", "token-risk", "0.38", "1.00", "21.5", "150.1", "228"],
  ["unpaid 402 (POST)", "hono", "0.63", "1.69", "19.9", "121.0", "132"],
  ["unpaid 402 (POST)", "express", "1.10", "2.93", "68.0", "486.4", "144"],
  ["unpaid 402 (POST)", "node", "0.29", "0.77", "21.2", "93.7", "52"],
  ["unpaid 402 (GET)", "token-risk", "0.32", "1.00", "24.3", "153.5", "238"],
  ["unpaid 402 (GET)", "hono", "0.47", "1.47", "27.5", "180.3", "132"],
  ["unpaid 402 (GET)", "express", "0.76", "2.38", "17.3", "249.5", "133"],
  ["unpaid 402 (GET)", "node", "0.18", "0.55", "6.5", "44.6", "52"],
  ["paid ping, Base", "token-risk", "32.72", "1.00", "958.8", "2076.5", "265"],
  ["paid ping, Base", "hono", "37.97", "1.16", "1042.3", "1578.9", "149"],
  ["paid ping, Base", "express", "34.64", "1.06", "891.7", "1797.6", "143"]
]
