import { Config, Either } from "effect"
import { isSolanaAddress, normalizeEvmAddress } from "../domain/address.ts"
import { commaList } from "../domain/comma-list.ts"
import { invalid } from "../domain/settings.ts"
import type { ExampleToken } from "../web/site/deployment.ts"

/** Wrapped ether, and Jupiter's. */
const WELL_KNOWN =
  "base:0x4200000000000000000000000000000000000006=WETH on Base,solana:JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN=JUP on Solana"

const FORM =
  "must be tokens as CHAIN:ADDRESS=NAME, separated by commas, such as base:0x4200…0006=WETH on Base"

const parse = (text: string): ExampleToken | undefined => {
  const [, chain, address = "", name = ""] = /^(base|solana):([0-9A-Za-z]+)=(.{1,40})$/.exec(text) ?? []
  if (chain === "base")
    return normalizeEvmAddress(address) === undefined ? undefined : { chain, address, name }
  return chain === "solana" && isSolanaAddress(address) ? { chain, address, name } : undefined
}

/** `EXAMPLE_TOKENS`: what the pages offer to somebody who has no address at hand. */
export const examplesConfig: Config.Config<ReadonlyArray<ExampleToken>> = Config.string(
  "EXAMPLE_TOKENS"
).pipe(
  Config.withDefault(WELL_KNOWN),
  Config.mapOrFail((text) => {
    const tokens = commaList(text).map(parse)
    return tokens.every((token) => token !== undefined)
      ? Either.right(tokens)
      : invalid("EXAMPLE_TOKENS", FORM)
  })
)
