import { Either, ParseResult } from "effect"
import { isTooDeep } from "../../domain/strict-json.ts"
import { TokenQuery, TokenRef } from "../../domain/token.ts"
import { firstIssue, isEmptyReference, NOT_JSON } from "../invalid-input.ts"

const decodeBody = ParseResult.decodeUnknownEither(TokenRef)
const decodeQuery = ParseResult.decodeUnknownEither(TokenQuery)

const problemOf = (decoded: Either.Either<unknown, ParseResult.ParseIssue>): string | undefined =>
  Either.isRight(decoded) ? undefined : firstIssue(ParseResult.ArrayFormatter.formatIssueSync(decoded.left))

/** What is read the same by everybody: no other characters, and no marks of other encodings. */
const PLAIN_TEXT = /^[\t\n\r\x20-\x7e]*$/

/**
 * What is wrong with the body of an unpaid call, as its caller is told; `undefined` where nothing is, where it asks for
 * the price, and where only the router's readers can tell.
 */
export const problemOfBody = (text: string): string | undefined => {
  if (!PLAIN_TEXT.test(text) || text.trim() === "" || isTooDeep(text)) return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return NOT_JSON
  }
  return isEmptyReference(body) ? undefined : problemOf(decodeBody(body))
}

const PLAIN_QUERY = /^(chain|address)=([0-9A-Za-z]*)(?:&(chain|address)=([0-9A-Za-z]*))?$/

/** The same of a query that names a chain, an address or both, once each, and nothing else. */
export const problemOfQuery = (query: string): string | undefined => {
  const [, name, value, otherName, otherValue] = PLAIN_QUERY.exec(query) ?? []
  if (name === undefined || name === otherName) return undefined
  return problemOf(
    decodeQuery({ [name]: value, ...(otherName === undefined ? {} : { [otherName]: otherValue }) })
  )
}
