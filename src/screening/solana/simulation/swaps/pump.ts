/** Trades on pump.fun's curve and on PumpSwap, as pump-sdk and pump-swap-sdk build them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { ATA_PROGRAM, program, SYSTEM_PROGRAM, WSOL } from "../../addresses.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesUnder, ZERO_ADDRESS } from "../../reads/bytes.ts"
import { associatedTokenAccount } from "../../../../chain/program-address.ts"
import type { Account } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority, reads, writes } from "../instruction.ts"
import type { SwapBuilder, SwapPlace, Trader } from "./swap.ts"
import { firstOf, tradesWith } from "./swap.ts"

const FEE_PROGRAM = SolanaAddress.make("pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ")
const { pumpCurve, pumpSwap } = program

/** Settings of the two programs, which name whom they pay their fees to. */
export const CURVE_GLOBAL = derived(pumpCurve, "global")
export const SWAP_GLOBAL = derived(pumpSwap, "global_config")

const curveVolume = derived(pumpCurve, "global_volume_accumulator")
const swapVolume = derived(pumpSwap, "global_volume_accumulator")
const curveFees = derived(FEE_PROGRAM, "fee_config", { key: pumpCurve })
const swapFees = derived(FEE_PROGRAM, "fee_config", { key: pumpSwap })

const BUY = anchorInstruction("buy")
const SELL = anchorInstruction("sell")
const TRACK_VOLUME = 1
const TOLD = {
  buy: (tokens: bigint, most: bigint) => dataOf(BUY, tokens, most, TRACK_VOLUME),
  sell: (tokens: bigint, least: bigint) => dataOf(SELL, tokens, least)
}

interface Payees {
  readonly fee: SolanaAddress
  readonly buyback: SolanaAddress
}

interface PayeeOffsets {
  readonly owner: SolanaAddress
  readonly length: number
  readonly usual: readonly [offset: number, count: number]
  readonly mayhem: readonly [offset: number, list: number]
  readonly buyback: number
}

const PAYEES: Readonly<Record<"curve" | "swap", PayeeOffsets>> = {
  curve: { owner: pumpCurve, length: 997, usual: [41, 1], mayhem: [483, 516], buyback: 741 },
  swap: { owner: pumpSwap, length: 899, usual: [57, 8], mayhem: [385, 418], buyback: 643 }
}

const payeesOf = (
  book: AccountBook,
  address: SolanaAddress,
  offsets: PayeeOffsets,
  isMayhem: boolean
): Payees | null => {
  const account = book.get(address)
  const bytes = bytesUnder(offsets.owner, account, offsets.length)
  if (bytes === null) return null
  const usual = isMayhem
    ? (bytes.optionalAddress(offsets.mayhem[0]) ?? firstOf(bytes, offsets.mayhem[1], 7))
    : firstOf(bytes, ...offsets.usual)
  const buyback = firstOf(bytes, offsets.buyback, 8)
  return usual === null || buyback === null ? null : { fee: usual, buyback }
}

const flag = (bytes: Bytes, offset: number): boolean => bytes.length > offset && bytes.u8(offset) !== 0

/** The accounts that every trade on a curve names first and last. */
const curveAccounts = ({ address, bytes, token, tokenProgram }: SwapPlace, payees: Payees) => ({
  creatorVault: derived(pumpCurve, "creator-vault", { key: bytes.address(49) }),
  first: ({ tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    ...reads(CURVE_GLOBAL),
    ...writes(payees.fee),
    ...reads(token),
    ...writes(address, associatedTokenAccount(address, token, tokenProgram), tokenAccount),
    [wallet, "ws"],
    ...reads(SYSTEM_PROGRAM)
  ],
  last: [...reads(derived(pumpCurve, "bonding-curve-v2", { key: token })), ...writes(payees.buyback)]
})

const curveEvents = reads(eventAuthority(pumpCurve), pumpCurve)
const curveFeeAccounts = reads(curveFees, FEE_PROGRAM)

const curveVolumeOf = (wallet: SolanaAddress): SolanaAddress =>
  derived(pumpCurve, "user_volume_accumulator", { key: wallet })

/** Curves against SOL, which is all that most of them know. Against other quotes the trial does not fit a transaction. */
export const pumpCurveSwap: SwapBuilder = (place) => {
  const { book, bytes, quote, tokenProgram } = place
  const payees = payeesOf(book, CURVE_GLOBAL, PAYEES.curve, flag(bytes, 81))
  if (payees === null || quote !== WSOL || bytes.length < 81) return null
  const { creatorVault, first, last } = curveAccounts(place, payees)
  const cashback = (wallet: SolanaAddress): ReadonlyArray<Account> =>
    flag(bytes, 82) ? writes(curveVolumeOf(wallet)) : []
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> =>
    isSell
      ? [
          ...first(trader),
          ...writes(creatorVault),
          ...reads(tokenProgram),
          ...curveEvents,
          ...curveFeeAccounts,
          ...cashback(trader.wallet),
          ...last
        ]
      : [
          ...first(trader),
          ...reads(tokenProgram),
          ...writes(creatorVault),
          ...curveEvents,
          ...reads(curveVolume),
          ...writes(curveVolumeOf(trader.wallet)),
          ...curveFeeAccounts,
          ...last
        ]
  return {
    ...tradesWith(pumpCurve, accounts, TOLD),
    isNative: true,
    opened: ({ wallet }) => [curveVolumeOf(wallet)]
  }
}

/** The accounts that every trade on PumpSwap names first and last. */
const swapAccounts = (place: SwapPlace, payees: Payees) => {
  const { address, bytes, quote, quoteProgram, token, tokenProgram } = place
  const creator = bytes.length >= 243 ? bytes.address(211) : ZERO_ADDRESS
  const creatorVault = derived(pumpSwap, "creator_vault", { key: creator })
  const quoteOf = (owner: SolanaAddress) => associatedTokenAccount(owner, quote, quoteProgram)
  const first = ({ quoteAccount, tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    ...writes(address),
    [wallet, "ws"],
    ...reads(SWAP_GLOBAL, token, quote),
    ...writes(tokenAccount, quoteAccount, bytes.address(139), bytes.address(171)),
    ...reads(payees.fee),
    ...writes(quoteOf(payees.fee)),
    ...reads(tokenProgram, quoteProgram, SYSTEM_PROGRAM, ATA_PROGRAM, eventAuthority(pumpSwap), pumpSwap),
    ...writes(quoteOf(creatorVault)),
    ...reads(creatorVault)
  ]
  const last: ReadonlyArray<Account> = [
    ...(creator === ZERO_ADDRESS ? [] : reads(derived(pumpSwap, "pool-v2", { key: token }))),
    ...reads(payees.buyback),
    ...writes(quoteOf(payees.buyback))
  ]
  return { first, last, quoteOf }
}

const swapFeeAccounts = reads(swapFees, FEE_PROGRAM)

const swapVolumeOf = (wallet: SolanaAddress): SolanaAddress =>
  derived(pumpSwap, "user_volume_accumulator", { key: wallet })

/** PumpSwap, for pools whose base side is the token: seen from the quote's side a trade is the other instruction. */
export const pumpSwapSwap: SwapBuilder = (place) => {
  const { book, bytes, token } = place
  const payees = payeesOf(book, SWAP_GLOBAL, PAYEES.swap, flag(bytes, 243))
  if (payees === null || bytes.address(43) !== token) return null
  const { first, last, quoteOf } = swapAccounts(place, payees)
  const isCashback = flag(bytes, 244)
  const cashback = (wallet: SolanaAddress): ReadonlyArray<Account> =>
    isCashback ? writes(quoteOf(swapVolumeOf(wallet))) : []
  const counted = (wallet: SolanaAddress): ReadonlyArray<Account> =>
    isCashback ? writes(swapVolumeOf(wallet)) : []
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => {
    const volume = isSell ? [] : [...reads(swapVolume), ...writes(swapVolumeOf(trader.wallet))]
    const back = [...cashback(trader.wallet), ...(isSell ? counted(trader.wallet) : [])]
    return [...first(trader), ...volume, ...swapFeeAccounts, ...back, ...last]
  }
  return tradesWith(pumpSwap, accounts, TOLD)
}
