import type { CallToolResult } from "@modelcontextprotocol/server"
import { Effect, Either, Option, ParseResult, Schema } from "effect"
import { META } from "../domain/mcp-meta.ts"
import { isRule } from "../domain/rule.ts"
import { span } from "../domain/span.ts"
import { TokenRef } from "../domain/token.ts"
import { ClientId } from "../api/token-risk.ts"
import type { MalformedPayment, PaymentRejected } from "../domain/errors.ts"
import { isOperationId, OPERATIONS, type OperationId } from "../domain/catalog.ts"
import { noteDelivery, noteFailure, noteRefusal } from "../http/admission/facts.ts"
import { describeOperationFailure, refusalOf } from "../operations/failures.ts"
import { Offers } from "../operations/offers.ts"
import type { Answer, OperationError } from "../operations/operations.ts"
import { Operations } from "../operations/operations.ts"
import type { Payment } from "../payment/message/payment.ts"
import { Sale } from "../payment/sale/sale.ts"

/** One `tools/call`, with what the transport knows of the caller. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly meta: Readonly<Record<string, unknown>>
  readonly clientIdHeader: string | undefined
  readonly ip: string
}

const NO_SUCH_TOOL = `no such tool: there are ${Object.keys(OPERATIONS).join(" and ")}`

const decodeToken = Schema.decodeUnknownEither(TokenRef)
const isClientId = Schema.is(ClientId)
const parseObject = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const NAME_A_TOKEN = "must name a token by chain (solana or base) and address"

const failed = (error: string, extra: Readonly<Record<string, unknown>> = {}): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: JSON.stringify({ error, ...extra }) }]
})

const delivered = ({ body, settlement }: Answer): CallToolResult => ({
  content: [{ type: "text", text: body }],
  structuredContent: parseObject(body),
  ...(settlement === null ? {} : { _meta: { [META.receipt]: settlement } })
})

/** What a call that ends in no answer gets: the terms, or why not. */
export const makeRefusals = Effect.map(Offers, (offers) => {
  /** The challenge, three times: as data, as the same data in text, and in plain words for clients that cannot pay. */
  const paymentDue = (id: OperationId, refused?: PaymentRejected): CallToolResult => {
    const { challenge, json } = offers.challenge(id, "mcp")
    const why =
      refused === undefined
        ? ""
        : `The payment that came along was refused: ${refused.reason}. What that means, and what to do: ` +
          `${new URL("/docs/errors", offers.resourceUrl(id, "POST")).href} `
    const words =
      `Payment required: ${offers.priceUsd(id)} USD in USDC. A client that speaks x402 puts the signed payment into ` +
      `_meta["${META.payment}"] and repeats the call. The same operation over HTTPS: POST ` +
      `${offers.resourceUrl(id, "POST")}. Refused calls cost nothing.`
    return {
      isError: true,
      structuredContent: { ...challenge },
      content: [
        { type: "text", text: json },
        { type: "text", text: why + words }
      ],
      _meta: {
        [META.error]: challenge,
        ...(refused === undefined ? {} : { [META.receipt]: refusalOf(refused) })
      }
    }
  }
  return (id: OperationId, error: OperationError): CallToolResult => {
    switch (error._tag) {
      case "PaymentDue":
        return paymentDue(id)
      case "PaymentRejected":
        return paymentDue(id, error)
      default: {
        const { retryAfterSeconds, text } = describeOperationFailure(error)
        return failed(text, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
      }
    }
  }
})

interface ReadCall {
  readonly operation: OperationId
  readonly token: TokenRef
  readonly clientId: Option.Option<string>
}

/** The call as we understand it, or words about what is wrong with it. */
const readCall = (call: ToolCall): Either.Either<ReadCall, string> => {
  if (!isOperationId(call.name)) return Either.left(NO_SUCH_TOOL)
  const token = decodeToken(call.arguments)
  if (token._tag === "Left") {
    const issue = ParseResult.ArrayFormatter.formatErrorSync(token.left)[0]
    const path = issue?.path.map(String).join(".") ?? ""
    const text = issue !== undefined && isRule(issue.message) ? issue.message : NAME_A_TOKEN
    return Either.left(`${path === "" ? "arguments" : path}: ${text}`)
  }
  const clientId = call.meta[META.clientId] ?? call.clientIdHeader
  if (clientId !== undefined && !isClientId(clientId))
    return Either.left(`${META.clientId}: must be 1 to 128 printable ASCII characters without spaces`)
  return Either.right({ operation: call.name, token: token.right, clientId: Option.fromNullable(clientId) })
}

/** Runs one tool call. Never fails: everything a caller can do about a failure is in the result. */
export const makeCallTool = Effect.gen(function* () {
  const operations = yield* Operations
  const offers = yield* Offers
  const sale = yield* Sale
  const refusal = yield* makeRefusals

  /** The payment as an object, or as the base64 text of Cloudflare's clients. */
  const payment = (value: unknown): Effect.Effect<Option.Option<Payment>, MalformedPayment> => {
    if (value === undefined) return Effect.succeedNone
    return Effect.asSome(typeof value === "string" ? sale.parse(value) : sale.parseObject(value))
  }

  return Effect.fnUntraced(function* (call: ToolCall) {
    const read = readCall(call)
    if (Either.isLeft(read)) return failed(read.left)
    const { clientId, operation, token } = read.right
    return yield* operations
      .run({
        operation,
        token,
        channel: "mcp",
        payment: payment(call.meta[META.payment]),
        caller: Option.map(clientId, (id) => ({ clientId: id, ip: call.ip }))
      })
      .pipe(
        Effect.tap((answer) => noteDelivery(answer, offers.priceUsd(operation))),
        Effect.tapErrorTag("PaymentRejected", noteRefusal),
        Effect.tapError((error) => (error._tag === "PaymentDue" ? Effect.void : noteFailure(error))),
        Effect.match({ onSuccess: delivered, onFailure: (error) => refusal(operation, error) })
      )
  }, span("Mcp.callTool"))
})
