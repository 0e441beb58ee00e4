import { Option, Schema } from "effect"
import { toBase58 } from "../../../domain/base58.ts"

const TokenAccount = Schema.Struct({ data: Schema.Tuple(Schema.String, Schema.Literal("base64")) })
const decodeEnds = Schema.decodeUnknownOption(Schema.Tuple(TokenAccount, TokenAccount))

/** Length of a token account, and where its owner and its amount stand, behind its mint. Source: SPL Token. */
const TOKEN_ACCOUNT = { bytes: 165, owner: 32, amount: 64 } as const

/** What is in the account a transfer comes from, and whose that one and the one it goes to are. */
export interface Ends {
  readonly left: bigint | undefined
  readonly owner: string | undefined
  readonly receiver: string | undefined
}

export const NOT_SHOWN: Ends = { left: undefined, owner: undefined, receiver: undefined }

const tokensOf = ({ data }: typeof TokenAccount.Type): Buffer | undefined => {
  const bytes = Buffer.from(data[0], "base64")
  return bytes.length === TOKEN_ACCOUNT.bytes ? bytes : undefined
}

const ownerOf = (tokens: Buffer | undefined) => tokens && toBase58(tokens, TOKEN_ACCOUNT.owner)

/** What the node does not show is `undefined`. */
export const endsIn = (accounts: unknown): Ends =>
  Option.match(decodeEnds(accounts), {
    onNone: () => NOT_SHOWN,
    onSome: (ends) => {
      const [source, destination] = [tokensOf(ends[0]), tokensOf(ends[1])]
      return {
        left: source?.readBigUInt64LE(TOKEN_ACCOUNT.amount),
        owner: ownerOf(source),
        receiver: ownerOf(destination)
      }
    }
  })
