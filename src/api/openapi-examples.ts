/** Examples for the description, made from its own schemas, so that none is missing and none can be out of date. */
import { isRecord } from "../domain/json.ts"
import type { Json, JsonObject } from "../domain/json.ts"

const BASE_PAYEE = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
const TRANSACTION = "0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b"

/** What a member of this name looks like, wherever it stands. Schemas' own examples go before these. */
const BY_NAME: JsonObject = {
  x402Version: 2,
  scheme: "exact",
  network: "eip155:8453",
  amount: "5000",
  received: "5000",
  missing: "0",
  amountUsd: "0.005",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: BASE_PAYEE,
  merchantPayTo: BASE_PAYEE,
  payer: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  transaction: TRANSACTION,
  checkoutId: "co_4f7c1d2e9a",
  memo: "order-1042",
  url: "https://risk.example/api/token-risk/v1/ping",
  mimeType: "application/json",
  description: "Token safety ping for Solana and Base.",
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
  safe: true,
  mintAuthorityOff: true,
  lpLocked: true,
  pairs: 3,
  priceUsd: 0.42,
  liquidityUsd: 125_000,
  fetchedAt: 1_795_269_600_000,
  cacheHit: false,
  verdict: "caution",
  score: 38,
  band: "elevated",
  free: false,
  chain: "base",
  address: "0x4200000000000000000000000000000000000006",
  code: "LP_UNLOCKED",
  id: "LP_UNLOCKED",
  points: 20,
  message: "42.5 % of the liquidity can be removed at once.",
  state: "fail",
  critical: true,
  hard: false,
  source: "base-rpc",
  coverage: 0.97,
  methodology: "2026.11.1",
  block: "38210744",
  slot: null,
  httpStatus: 201,
  step: "create",
  explanation: "The merchant creates a checkout.",
  answer: {},
  codeHash: "0x1f8b2c0de4d0a1f3c5b7e9d1a3f5c7e9b1d3f5a7c9e1b3d5f7a9c1e3b5d7f9a1",
  implementation: null,
  implementationCodeHash: null,
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  hmac: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  keyId: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  hmacKeyId: "o7Gk9iYzF6B9XQ0pV3n1cJ2mT5rL8sD4hW6uE0aKfZQ",
  algorithm: "JCS-SHA256+HMAC-SHA256+Ed25519",
  signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
  paymentSignature: "eyJ4NDAyVmVyc2lvbiI6MiwicGF5bG9hZCI6e319"
}

const REF = "#/components/schemas/"

/** A value a schema of the document allows. `schemas` are its named ones. */
export const exampleOf = (schema: Json, schemas: JsonObject, name?: string): Json => {
  if (!isRecord(schema)) return null
  const { $ref, allOf, anyOf, enum: allowed, examples } = schema
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0]
  const usual = name === undefined ? undefined : BY_NAME[name]
  const fits = usual !== undefined && (!Array.isArray(allowed) || allowed.includes(usual))
  if (fits && !isRecord(schema["properties"]) && $ref === undefined) return usual
  if (fits && typeof $ref === "string" && !isRecord(usual)) return usual
  if (typeof $ref === "string") return exampleOf(schemas[$ref.slice(REF.length)] ?? {}, schemas, name)
  if (Array.isArray(allowed)) return allowed[0] ?? null
  const inner = Array.isArray(anyOf) ? anyOf : Array.isArray(allOf) ? allOf : undefined
  if (inner !== undefined) return exampleOf(inner[0] ?? {}, schemas, name)
  return ofType(schema, schemas, name)
}

const ofType = (schema: JsonObject, schemas: JsonObject, name: string | undefined): Json => {
  const { items = {}, properties, required, type } = schema
  switch (type) {
    case "object": {
      const wanted = Array.isArray(required) ? required.map(String) : []
      return Object.fromEntries(
        wanted.map((key) => [
          key,
          exampleOf((isRecord(properties) ? properties[key] : {}) ?? {}, schemas, key)
        ])
      )
    }
    case "array":
      return [exampleOf(items, schemas, name)]
    case "boolean":
      return true
    case "number":
    case "integer":
      return 1
    case "null":
      return null
    default:
      return "text"
  }
}
