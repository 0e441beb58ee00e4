import { Schema } from "effect"
import type { Hex } from "viem"
import { UpstreamError } from "../domain/errors.ts"

/** What a Base node's JSON is made of. Either case is taken: nodes differ. */

const Hexadecimal = Schema.TemplateLiteral("0x", Schema.String)
/** An address. */
export const Account = Hexadecimal.pipe(Schema.pattern(/^0x[0-9a-f]{40}$/i))
/** 32 bytes: a hash, a topic. */
export const Word = Hexadecimal.pipe(Schema.pattern(/^0x[0-9a-f]{64}$/i))
/** Any number of whole bytes. */
export const Bytes = Hexadecimal.pipe(Schema.pattern(/^0x(?:[0-9a-f]{2})*$/i))
/** A number of up to 32 bytes. */
export const Quantity = Hexadecimal.pipe(Schema.pattern(/^0x[0-9a-f]{1,64}$/i))
/** A height or a position: up to eight bytes. */
export const Count = Hexadecimal.pipe(Schema.pattern(/^0x[0-9a-f]{1,16}$/i))

/** Unix seconds of a block, from 1978 to 2106: a digit less is a time that was cut. */
export const Time = Hexadecimal.pipe(Schema.pattern(/^0x[1-9a-f][0-9a-f]{7}$/i))

const UPPER = /[A-F]/
/** Nearly every node writes lower case, and a text is looked through sooner than written anew. */
export const lowerHex = (text: Hex): Hex => (UPPER.test(text) ? `0x${text.slice(2).toLowerCase()}` : text)

/** An answer of another form than was asked for. `detail` names the method and never repeats what a stranger sent. */
export const malformed = (detail: string): UpstreamError =>
  new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail })

/** Reads an answer of a method, or throws that it is malformed. */
export const decodedBy = <A, I>(schema: Schema.Schema<A, I>, method: string): ((answer: unknown) => A) => {
  const is = Schema.is(schema)
  return (answer) => {
    if (is(answer)) return answer
    throw malformed(`${method}: unexpected result`)
  }
}
