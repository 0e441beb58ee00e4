import { min } from "../../../domain/bigint.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { PoolDepth } from "../pools/reserves.ts"
import type { Instruction } from "./instruction.ts"
import type { Swap, SwapPlace, Trader } from "./swaps/swap.ts"
import { packTransaction } from "./transaction.ts"
import { addressOf, fund, open, pass, sendLamports } from "./wallet.ts"

/** What an instruction of a trial does. A failure of `funds` is ours; any other is the token's or the pool's. */
export type Leg = "funds" | "account" | "buy" | "transfer" | "sell"

export type TrialKind = "round-trip" | "onward" | "holder-sale" | "holder-transfer"

/** A transaction to simulate, with what each of its instructions is for. */
export interface Trial {
  readonly kind: TrialKind
  /** The pool it trades in; null for a mere transfer. */
  readonly pool: SolanaAddress | null
  readonly wire: string
  readonly legs: ReadonlyArray<Leg>
  readonly programs: ReadonlyArray<SolanaAddress>
  /** Accounts to look at afterwards: first the purse, then the tokens. */
  readonly watch: ReadonlyArray<SolanaAddress>
  /** Those of them whose rent the trader paid, which is no part of the price. */
  readonly opened: ReadonlyArray<SolanaAddress>
  /** Null in trials by wallets nobody has seen. */
  readonly holder: SoldBy | null
}

/** What a real holder's trial moves, smallest units, and where it is paid into: null where it is not, or in SOL itself. */
export interface SoldBy {
  readonly account: SolanaAddress
  readonly amount: bigint
  readonly paidInto: SolanaAddress | null
}

/** A pool to try, and how much of it. Amounts are in smallest units. */
export interface Candidate {
  readonly place: SwapPlace
  readonly swap: Swap
  readonly tokens: bigint
  /** What the buyer may spend at most, and is given. */
  readonly most: bigint
  /** What is left of `tokens` after the token's own transfer fee: what can be sold. */
  readonly sold: bigint
  /** Less of the token than this may fetch nothing at all, which every pool refuses, whoever sells. */
  readonly least: bigint
  readonly decimals: number
}

/** A position small beside the pool, so that neither its depth nor its ranges decide the outcome. */
const SHARE_OF_POOL = 0.005
/** Nor shall a small deviation of the price from what was read decide it. */
const MARGIN = 4n

/** Enough for the accounts a first trade opens, beside those the payer opens. Lamports. */
export const RENT = 20_000_000n

/** Smallest units of either side that rounding and fees leave something of. */
const LEAST_UNITS = 100

/** How much to trade in a pool of this depth; null where it is too shallow for any trade. */
export const sizeOf = (
  depth: PoolDepth,
  usual: bigint,
  spendsAll: boolean
): Pick<Candidate, "tokens" | "most" | "least"> | null => {
  const spend = Math.min(Number(usual), depth.quote * SHARE_OF_POOL)
  const tokens = (depth.token * spend) / (depth.quote + spend)
  if (!(spend >= LEAST_UNITS && tokens >= LEAST_UNITS)) return null
  const quote = BigInt(Math.floor(spend))
  const least = BigInt(Math.ceil(LEAST_UNITS * Math.max(1, tokens / spend)))
  // Where all is spent, fees and price decide what comes: a third less is safely there.
  return spendsAll
    ? { tokens: BigInt(Math.floor(tokens * 0.66)), most: quote, least }
    : { tokens: BigInt(Math.floor(tokens)), most: quote * MARGIN, least }
}

type Step = readonly [Leg, Instruction]

const toTrial = (
  payer: SolanaAddress,
  steps: ReadonlyArray<Step>,
  rest: Pick<Trial, "kind" | "pool" | "watch" | "opened"> & Partial<Pick<Trial, "holder">>
): Trial | null => {
  const packed = packTransaction(
    payer,
    steps.map(([, instruction]) => instruction)
  )
  if (packed === null) return null
  const lead = Array.from({ length: packed.lead })
  return {
    holder: null,
    ...rest,
    wire: packed.wire,
    legs: [...lead.map((): Leg => "funds"), ...steps.map(([leg]) => leg)],
    programs: [...lead.map(() => payer), ...steps.map(([, { program }]) => program)]
  }
}

const traderIn = ({ place }: Candidate, wallet: SolanaAddress): Trader => ({
  wallet,
  tokenAccount: addressOf({ owner: wallet, mint: place.token, tokenProgram: place.tokenProgram }),
  quoteAccount: addressOf({ owner: wallet, mint: place.quote, tokenProgram: place.quoteProgram })
})

/** Where a trader's quote ends up. */
const purseOf = ({ swap }: Candidate, trader: Trader): SolanaAddress =>
  swap.isNative ? trader.wallet : trader.quoteAccount

const bought = (candidate: Candidate, payer: SolanaAddress, trader: Trader): ReadonlyArray<Step> => {
  const { most, place, swap, tokens } = candidate
  const { wallet } = trader
  const quote = { owner: wallet, mint: place.quote, tokenProgram: place.quoteProgram }
  const token = { owner: wallet, mint: place.token, tokenProgram: place.tokenProgram }
  const funds = swap.isNative
    ? [sendLamports(payer, wallet, RENT + most)]
    : [sendLamports(payer, wallet, RENT), ...fund(payer, quote, most)]
  return [
    ...funds.map((instruction): Step => ["funds", instruction]),
    ["account", open(payer, token)],
    ["buy", swap.buy(trader, tokens, most)]
  ]
}

/** Accounts to look at after a purchase: the purse, the tokens, and what the buyer paid rent for. */
const watched = (candidate: Candidate, trader: Trader): ReadonlyArray<SolanaAddress> => [
  purseOf(candidate, trader),
  trader.tokenAccount,
  ...candidate.swap.opened(trader)
]

/** A wallet nobody has seen buys and sells everything again. */
export const roundTrip = (
  candidate: Candidate,
  payer: SolanaAddress,
  wallet: SolanaAddress
): Trial | null => {
  const trader = traderIn(candidate, wallet)
  const sell = candidate.swap.sell(trader, candidate.sold, 1n)
  return toTrial(payer, [...bought(candidate, payer, trader), ["sell", sell]], {
    kind: "round-trip",
    pool: candidate.place.address,
    watch: watched(candidate, trader),
    opened: candidate.swap.opened(trader)
  })
}

/** The same wallet buys and passes everything on to another: shows what the purchase cost, and that tokens move. */
export const onward = (
  candidate: Candidate,
  payer: SolanaAddress,
  wallet: SolanaAddress,
  receiver: SolanaAddress
): Trial | null => {
  const { decimals, place, sold } = candidate
  const trader = traderIn(candidate, wallet)
  const token = { owner: receiver, mint: place.token, tokenProgram: place.tokenProgram }
  const move = pass({ owner: wallet, account: trader.tokenAccount }, addressOf(token), {
    mint: place.token,
    tokenProgram: place.tokenProgram,
    decimals,
    amount: sold
  })
  const steps: ReadonlyArray<Step> = [
    ...bought(candidate, payer, trader),
    ["account", open(payer, token)],
    ["transfer", move]
  ]
  return toTrial(payer, steps, {
    kind: "onward",
    pool: place.address,
    watch: [...watched(candidate, trader), addressOf(token)],
    opened: candidate.swap.opened(trader)
  })
}

/** A real holder, by its listed token account. */
export interface Holder {
  readonly owner: SolanaAddress
  readonly account: SolanaAddress
  readonly amount: bigint
}

/** A real holder sells, as much as the wallet of the round trip or all it has. */
export const holderSale = (candidate: Candidate, payer: SolanaAddress, holder: Holder): Trial | null => {
  const { place, sold, swap } = candidate
  const quote = { owner: holder.owner, mint: place.quote, tokenProgram: place.quoteProgram }
  const trader = { wallet: holder.owner, tokenAccount: holder.account, quoteAccount: addressOf(quote) }
  const amount = min(holder.amount, sold)
  const steps: ReadonlyArray<Step> = [
    ["funds", swap.isNative ? sendLamports(payer, holder.owner, RENT) : open(payer, quote)],
    ["sell", swap.sell(trader, amount, 1n)]
  ]
  const by = { account: holder.account, amount, paidInto: swap.isNative ? null : trader.quoteAccount }
  return toTrial(payer, steps, {
    kind: "holder-sale",
    pool: place.address,
    watch: [],
    opened: [],
    holder: by
  })
}

/** A real holder passes a part of its tokens on to a wallet nobody has seen: needs no pool's program. */
export const holderTransfer = (
  token: Pick<SwapPlace, "token" | "tokenProgram"> & { readonly decimals: number },
  payer: SolanaAddress,
  holder: Holder,
  receiver: SolanaAddress
): Trial | null => {
  const to = { owner: receiver, mint: token.token, tokenProgram: token.tokenProgram }
  const amount = holder.amount / 10n > 0n ? holder.amount / 10n : holder.amount
  const move = pass({ owner: holder.owner, account: holder.account }, addressOf(to), {
    mint: token.token,
    tokenProgram: token.tokenProgram,
    decimals: token.decimals,
    amount
  })
  const steps: ReadonlyArray<Step> = [
    ["account", open(payer, to)],
    ["transfer", move]
  ]
  const by = { account: holder.account, amount, paidInto: null }
  return toTrial(payer, steps, { kind: "holder-transfer", pool: null, watch: [], opened: [], holder: by })
}
