import { Option } from "effect"
import { checkoutPath } from "../api/checkout.ts"
import type { ServiceConfig } from "./config.ts"

const settler = (choice: { readonly kind: "self-hosted" | "remote" }): string =>
  choice.kind === "remote" ? "the facilitator" : "our own key"

/** What the process uses, one row each, for the operator's first look. Holds no secret and no URL that may carry one. */
export const describeStart = (config: ServiceConfig): string => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["listening on", `${config.listen.host}:${config.listen.port}`],
    ["public URL", config.publicUrl],
    ["database", config.database.url.dialect],
    ["paid on Base to", config.payment.payTo.base],
    ["paid on Solana to", config.payment.payTo.solana],
    ["settled on Base by", settler(config.payment.settlement.base)],
    ["settled on Solana by", settler(config.payment.settlement.solana)],
    ["checkout under", checkoutPath(config.checkout.service)],
    ["price of a ping", `${config.prices.ping.usd} USD`],
    ["price of a deep report", `${config.prices.deep.usd} USD`],
    ["free deep calls", `${config.freeTier.calls} per caller`],
    [
      "traces",
      Option.isSome(config.telemetry.otlpUrl) ? `OTLP, of ${config.sampleRatio} of requests` : "off"
    ],
    ["workers", String(config.workers)]
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return ["token-risk", ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join("\n")
}
