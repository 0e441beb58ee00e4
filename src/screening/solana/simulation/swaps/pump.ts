/** Trades on pump.fun's curve and on PumpSwap, as pump-sdk and pump-swap-sdk build them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { ATA_PROGRAM, program, SYSTEM_PROGRAM, WSOL } from "../../addresses.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { bytesOf, ZERO_ADDRESS } from "../../reads/bytes.ts"
import { associatedTokenAccount } from "../../reads/pdas.ts"
import type { Use } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority } from "../instruction.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { firstOf, wrapped } from "./swap.ts"

type Account = readonly [SolanaAddress, Use]

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

interface Payees {
  readonly fee: SolanaAddress
  readonly buyback: SolanaAddress
}

interface PayeeOffsets {
  readonly owner: SolanaAddress
  readonly length: number
  readonly usual: readonly [offset: number, count: number]
  readonly mayhem: number
  readonly mayhemList: number
  readonly buyback: number
}

const CURVE_PAYEES: PayeeOffsets = {
  owner: pumpCurve,
  length: 997,
  usual: [41, 1],
  mayhem: 483,
  mayhemList: 516,
  buyback: 741
}
const SWAP_PAYEES: PayeeOffsets = {
  owner: pumpSwap,
  length: 899,
  usual: [57, 8],
  mayhem: 385,
  mayhemList: 418,
  buyback: 643
}

const payeesOf = (
  book: AccountBook,
  address: SolanaAddress,
  offsets: PayeeOffsets,
  isMayhem: boolean
): Payees | null => {
  const account = book.get(address)
  if (account == null || account.owner !== offsets.owner || account.data.length < offsets.length) return null
  const bytes = bytesOf(account.data)
  const usual = isMayhem
    ? (bytes.optionalAddress(offsets.mayhem) ?? firstOf(bytes, offsets.mayhemList, 7))
    : firstOf(bytes, ...offsets.usual)
  const buyback = firstOf(bytes, offsets.buyback, 8)
  return usual === null || buyback === null ? null : { fee: usual, buyback }
}

const flag = (bytes: Bytes, offset: number): boolean => bytes.length > offset && bytes.u8(offset) !== 0

/** Curves against SOL, which is all that most of them know. Against other quotes the trial does not fit a transaction. */
export const pumpCurveSwap: SwapBuilder = ({ address, book, bytes, quote, token, tokenProgram }) => {
  const payees = payeesOf(book, CURVE_GLOBAL, CURVE_PAYEES, flag(bytes, 81))
  if (payees === null || quote !== WSOL || bytes.length < 81) return null
  const vault = associatedTokenAccount(address, token, tokenProgram)
  const creatorVault = derived(pumpCurve, "creator-vault", { key: bytes.address(49) })
  const volumeOf = (wallet: SolanaAddress) => derived(pumpCurve, "user_volume_accumulator", { key: wallet })
  const first = ({ tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    [CURVE_GLOBAL, ""],
    [payees.fee, "w"],
    [token, ""],
    [address, "w"],
    [vault, "w"],
    [tokenAccount, "w"],
    [wallet, "ws"],
    [SYSTEM_PROGRAM, ""]
  ]
  const last: ReadonlyArray<Account> = [
    [derived(pumpCurve, "bonding-curve-v2", { key: token }), ""],
    [payees.buyback, "w"]
  ]
  const events: ReadonlyArray<Account> = [
    [eventAuthority(pumpCurve), ""],
    [pumpCurve, ""]
  ]
  const fees: ReadonlyArray<Account> = [
    [curveFees, ""],
    [FEE_PROGRAM, ""]
  ]
  return {
    spendsAll: false,
    isNative: true,
    opened: ({ wallet }) => [volumeOf(wallet)],
    buy: (trader, tokens, most) => ({
      program: pumpCurve,
      accounts: [
        ...first(trader),
        [tokenProgram, ""],
        [creatorVault, "w"],
        ...events,
        [curveVolume, ""],
        [volumeOf(trader.wallet), "w"],
        ...fees,
        ...last
      ],
      data: dataOf(BUY, tokens, most, TRACK_VOLUME)
    }),
    sell: (trader, tokens, least) => ({
      program: pumpCurve,
      accounts: [
        ...first(trader),
        [creatorVault, "w"],
        [tokenProgram, ""],
        ...events,
        ...fees,
        ...(flag(bytes, 82) ? ([[volumeOf(trader.wallet), "w"]] as const) : []),
        ...last
      ],
      data: dataOf(SELL, tokens, least)
    })
  }
}

/** PumpSwap, for pools whose base side is the token: seen from the quote's side a trade is the other instruction. */
export const pumpSwapSwap: SwapBuilder = (place) => {
  const { address, book, bytes, quote, quoteProgram, token, tokenProgram } = place
  const payees = payeesOf(book, SWAP_GLOBAL, SWAP_PAYEES, flag(bytes, 243))
  if (payees === null || bytes.address(43) !== token) return null
  const creator = bytes.length >= 243 ? bytes.address(211) : ZERO_ADDRESS
  const creatorVault = derived(pumpSwap, "creator_vault", { key: creator })
  const quoteOf = (owner: SolanaAddress) => associatedTokenAccount(owner, quote, quoteProgram)
  const volumeOf = (wallet: SolanaAddress) => derived(pumpSwap, "user_volume_accumulator", { key: wallet })
  const first = ({ quoteAccount, tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    [address, "w"],
    [wallet, "ws"],
    [SWAP_GLOBAL, ""],
    [token, ""],
    [quote, ""],
    [tokenAccount, "w"],
    [quoteAccount, "w"],
    [bytes.address(139), "w"],
    [bytes.address(171), "w"],
    [payees.fee, ""],
    [quoteOf(payees.fee), "w"],
    [tokenProgram, ""],
    [quoteProgram, ""],
    [SYSTEM_PROGRAM, ""],
    [ATA_PROGRAM, ""],
    [eventAuthority(pumpSwap), ""],
    [pumpSwap, ""],
    [quoteOf(creatorVault), "w"],
    [creatorVault, ""]
  ]
  const fees: ReadonlyArray<Account> = [
    [swapFees, ""],
    [FEE_PROGRAM, ""]
  ]
  const last: ReadonlyArray<Account> = [
    ...(creator === ZERO_ADDRESS ? [] : ([[derived(pumpSwap, "pool-v2", { key: token }), ""]] as const)),
    [payees.buyback, ""],
    [quoteOf(payees.buyback), "w"]
  ]
  const isCashback = flag(bytes, 244)
  const cashback = (wallet: SolanaAddress): ReadonlyArray<Account> =>
    isCashback ? [[quoteOf(volumeOf(wallet)), "w"]] : []
  return {
    ...wrapped,
    buy: (trader, tokens, most) => ({
      program: pumpSwap,
      accounts: [
        ...first(trader),
        [swapVolume, ""],
        [volumeOf(trader.wallet), "w"],
        ...fees,
        ...cashback(trader.wallet),
        ...last
      ],
      data: dataOf(BUY, tokens, most, TRACK_VOLUME)
    }),
    sell: (trader, tokens, least) => ({
      program: pumpSwap,
      accounts: [
        ...first(trader),
        ...fees,
        ...cashback(trader.wallet),
        ...(isCashback ? ([[volumeOf(trader.wallet), "w"]] as const) : []),
        ...last
      ],
      data: dataOf(SELL, tokens, least)
    })
  }
}
