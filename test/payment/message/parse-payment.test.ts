import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import fc from "fast-check"
import { numberToHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { typedAuthorization } from "../../../scripts/sandbox/base/eip3009.ts"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { parsePayment, parsePaymentObject } from "../../../src/payment/message/parse-payment.ts"

const NONCE = `0x${"ab".repeat(32)}`
const FROM = `0x${"Cd".repeat(20)}`

const payload = {
  x402Version: 2,
  resource: { url: "https://example.test/a" },
  accepted: { scheme: "exact", network: BASE_NETWORK, amount: "5000" },
  payload: {
    signature: `0x${"1F".repeat(64)}1c`,
    authorization: {
      from: FROM,
      to: `0x${"22".repeat(20)}`,
      value: "5000",
      validAfter: "0",
      validBefore: "1800000000",
      nonce: NONCE
    }
  }
}

const encode = (text: string): string => Buffer.from(text, "utf8").toString("base64")
const parseText = (text: string) => Effect.runSync(Effect.either(parsePayment(encode(text))))
const parse = (value: unknown) => parseText(JSON.stringify(value))
const isMalformed = (header: string): boolean =>
  Either.match(Effect.runSync(Effect.either(parsePayment(header))), {
    onLeft: (error) => error._tag === "MalformedPayment",
    onRight: () => false
  })

const setPath = (path: ReadonlyArray<string>, value: unknown): unknown => {
  const [head, ...rest] = path
  const set = (target: unknown, at: string | undefined, more: ReadonlyArray<string>): unknown => {
    if (at === undefined) return value
    const object = typeof target === "object" && target !== null ? target : {}
    const child: unknown = Object.entries(object).find(([key]) => key === at)?.[1]
    return { ...object, [at]: set(child, more[0], more.slice(1)) }
  }
  return set(payload, head, rest)
}

describe("parsing a payment", () => {
  it("identifies an authorization by chain, asset, payer and nonce in one spelling", () => {
    const key = `${BASE_NETWORK}:${BASE_USDC.toLowerCase()}:${FROM.toLowerCase()}:${NONCE}`
    expect(Either.getOrThrow(parse(payload))).toMatchObject({ scheme: "eip3009", authorizationKey: key })
    const shouted = setPath(["payload", "authorization", "nonce"], `0x${"AB".repeat(32)}`)
    expect(Either.getOrThrow(parse(shouted)).authorizationKey).toBe(key)
    const signedAnew = setPath(["payload", "signature"], `0x${"2e".repeat(65)}`)
    expect(Either.getOrThrow(parse(signedAnew)).authorizationKey).toBe(key)
  })

  it("takes a payment as a JSON value with the same result", () => {
    expect(Effect.runSync(parsePaymentObject(payload))).toEqual(Either.getOrThrow(parse(payload)))
  })

  it("writes a recovery id of 0 or 1 as USDC wants it, where the payer's key signed, and leaves what a contract is to read", async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const recoveryIds = { "1b": "00", "1c": "01" }
    const seen = new Set<string>()
    for (let nonce = 0n; seen.size < 2; nonce++) {
      const authorization = {
        ...payload.payload.authorization,
        from: account.address,
        nonce: numberToHex(nonce, { size: 32 })
      }
      const signature = await account.signTypedData(typedAuthorization(authorization))
      const id = signature.endsWith("1b") ? "1b" : "1c"
      if (seen.has(id)) continue
      seen.add(id)
      const spelled = signature.slice(0, -2) + recoveryIds[id]
      const read = (of: object) =>
        Effect.runPromise(
          parsePaymentObject({ ...payload, payload: { authorization: of, signature: spelled } })
        )
      expect(await read(authorization)).toMatchObject({ evm: { signature } })
      // The same bytes are no key's signature here: the payer may be a contract, and these may be its own form.
      expect(await read({ ...authorization, from: FROM })).toMatchObject({ evm: { signature: spelled } })
    }
  })

  it.each([
    ["another version", setPath(["x402Version"], 1), "invalid_x402_version"],
    ["another scheme", setPath(["accepted", "scheme"], "upto"), "unsupported_scheme"],
    ["a testnet", setPath(["accepted", "network"], "eip155:84532"), "invalid_network"],
    [
      "Permit2",
      setPath(["payload"], { permit2Authorization: {}, signature: "0x" }),
      "unsupported_payload_type"
    ]
  ])("keeps %s apart from a malformed message", (_name, value, reason) => {
    expect(Either.getOrThrow(parse(value))).toMatchObject({ scheme: "unsupported", reason })
  })

  it.each([
    ["null", null],
    ["an array", [payload]],
    ["a number", 5],
    ["no accepted", { ...payload, accepted: null }],
    ["a numeric network", setPath(["accepted", "network"], 8453)],
    ["an empty amount", setPath(["payload", "authorization", "value"], "")],
    ["a hex amount", setPath(["payload", "authorization", "value"], "0x1388")],
    ["a padded amount", setPath(["payload", "authorization", "value"], " 5000")],
    ["a numeric amount", setPath(["payload", "authorization", "value"], 5000)],
    ["a short nonce", setPath(["payload", "authorization", "nonce"], "0xab")],
    ["no signature", setPath(["payload", "signature"], undefined)],
    ["no transaction", setPath(["accepted", "network"], SOLANA_NETWORK)]
  ])("refuses %s", (_name, value) => {
    expect(isMalformed(encode(JSON.stringify(value)))).toBe(true)
  })

  it.each([
    ["a repeated key", '{"x402Version":2,"x402Version":2}'],
    ["a repeated key spelled with an escape", '{"x402Version":2,"x402Versio\\u006e":2}'],
    ["a repeated key deep inside", '{"a":[{"b":{"c":1,"d":[],"c":2}}]}'],
    ["a prototype", '{"__proto__":{"x402Version":2}}'],
    ["a deep nest", `${"[".repeat(30)}${"]".repeat(30)}`],
    ["half a message", '{"x402Version":2'],
    ["nothing", ""],
    ["two messages", "{}{}"]
  ])("refuses %s", (_name, text) => {
    expect(isMalformed(encode(text))).toBe(true)
  })

  it("lets a key repeat in sibling objects and in values", () => {
    const text = JSON.stringify({
      ...payload,
      extensions: { a: { k: "k", 'k"': 1 }, b: { k: [{ k: 1 }, { k: 2 }] } }
    })
    expect(Either.isRight(parseText(text))).toBe(true)
  })

  it("takes every base64 text in its canonical spelling only", () => {
    const text = JSON.stringify(payload)
    const header = encode(text)
    for (const spelling of [` ${header}`, `${header}\n`, header.replace(/=+$/, ""), `${header}====`]) {
      if (spelling !== header) expect(isMalformed(spelling)).toBe(true)
    }
    expect(isMalformed(Buffer.from(`${text} ?>`).toString("base64url"))).toBe(true)
    // "f" and "e" differ only in bits that no byte uses.
    expect(isMalformed(encode("{}").replace(/Q==$|0=$/, "1="))).toBe(true)
    expect(isMalformed(Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString("base64"))).toBe(true)
  })

  it("takes 8 KB and no character more, as a header and as a JSON value", () => {
    const empty = JSON.stringify({ ...payload, extensions: { a: "" } }).length
    const ofLength = (length: number) => ({ ...payload, extensions: { a: "x".repeat(length - empty) } })
    const header = encode(JSON.stringify(ofLength(6144)))
    expect(header).toHaveLength(8192)
    expect([isMalformed(header), isMalformed(encode(JSON.stringify(ofLength(6145))))]).toEqual([false, true])
    const isRefused = (length: number) =>
      Either.isLeft(Effect.runSync(Effect.either(parsePaymentObject(ofLength(length)))))
    expect([isRefused(8192), isRefused(8193)]).toEqual([false, true])
  })

  it("refuses more than 8 KB", () => {
    expect(isMalformed(encode(JSON.stringify({ ...payload, extensions: { a: "x".repeat(8000) } })))).toBe(
      true
    )
    expect(isMalformed("A".repeat(1_000_000))).toBe(true)
  })

  it("answers every text and every JSON value with a payment or a malformed payment", () => {
    const answers = (effect: ReturnType<typeof parsePayment>) => {
      const result = Effect.runSync(Effect.either(effect))
      return Either.isRight(result) || result.left._tag === "MalformedPayment"
    }
    fc.assert(fc.property(fc.string(), (text) => answers(parsePayment(text))))
    fc.assert(fc.property(fc.jsonValue(), (value) => answers(parsePaymentObject(value))))
    const mutated = fc.record({
      at: fc.nat(encode(JSON.stringify(payload)).length - 1),
      char: fc.string({ minLength: 1, maxLength: 1 })
    })
    fc.assert(
      fc.property(mutated, ({ at, char }) => {
        const header = encode(JSON.stringify(payload))
        return answers(parsePayment(header.slice(0, at) + char + header.slice(at + 1)))
      })
    )
  })

  it("finds a repeated key exactly where an object has one", () => {
    const keys = fc.array(fc.string(), { maxLength: 6 })
    fc.assert(
      fc.property(keys, keys, (outer, inner) => {
        const object = (names: ReadonlyArray<string>, value: string) =>
          `{${names.map((name) => `${JSON.stringify(name)}:${value}`).join(",")}}`
        const isUnique = (names: ReadonlyArray<string>) => new Set(names).size === names.length
        const nested = object(inner, '[1,"}"]')
        const text = object(["x402Version", ...outer], nested)
        const unique = isUnique(["x402Version", ...outer]) && isUnique(inner)
        const message = Either.match(parseText(text), { onLeft: ({ message }) => message, onRight: () => "" })
        const clean = !outer.includes("__proto__") && !inner.includes("__proto__")
        return message.includes("unique keys") === !(unique && clean)
      })
    )
  })
})
