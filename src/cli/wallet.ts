import { readFile, stat } from "node:fs/promises"
import { Config, Console, Effect, Option, Redacted } from "effect"
import type { Wallet } from "../client/wallet.ts"
import { combineWallets } from "../client/wallet.ts"
import { EXIT, Stop } from "./exit.ts"
import { plain } from "./text.ts"

/** Where the keys to pay with come from; a file wins over the environment. */
export interface KeySources {
  readonly baseKeyFile: Option.Option<string>
  readonly solanaKeyFile: Option.Option<string>
}

/** Public RPC of Solana, read for a blockhash when `SOLANA_RPC_URL` is not set. */
const PUBLIC_SOLANA_RPC = "https://api.mainnet-beta.solana.com"

const unusable = (message: string) => new Stop({ code: EXIT.usage, message })

const READABLE_BY_OTHERS = 0o077

/** The text of a key file, with a warning when the file is open to other users of the machine. */
const readKeyFile = Effect.fnUntraced(function* (path: string) {
  const file = yield* Effect.tryPromise({
    try: async () => ({ mode: (await stat(path)).mode, text: await readFile(path, "utf8") }),
    catch: () => unusable(`cannot read the key file ${plain(path)}`)
  })
  if (process.platform !== "win32" && (file.mode & READABLE_BY_OTHERS) !== 0)
    yield* Console.error(`Warning: ${plain(path)} is open to other users. chmod 600 it.`)
  return Redacted.make(file.text.trim())
})

const keyFrom = (file: Option.Option<string>, variable: string) =>
  Option.match(file, {
    onSome: (path) => Effect.asSome(readKeyFile(path)),
    onNone: () =>
      Config.option(Config.redacted(Config.nonEmptyString(variable))).pipe(
        Effect.mapError(() => unusable(`${variable} cannot be read`))
      )
  })

const HEX_KEY = /^(?:0x)?([0-9a-fA-F]{64})$/

/** The messages name what is wrong, never the key: an exception of a library could quote it. */
const baseWallet = (key: Redacted.Redacted) =>
  Effect.tryPromise({
    try: async () => {
      const [{ privateKeyToAccount }, { evmWallet }] = await Promise.all([
        import("viem/accounts"),
        import("../client/evm-wallet.ts")
      ])
      return evmWallet(privateKeyToAccount(`0x${HEX_KEY.exec(Redacted.value(key).trim())?.[1] ?? ""}`))
    },
    catch: () =>
      unusable("the key to pay on Base (TOKEN_RISK_BASE_KEY, --base-key-file) must be 0x and 64 hex digits")
  })

const solanaBytes = async (text: string): Promise<Uint8Array> => {
  const { getBase58Encoder } = await import("@solana/kit")
  if (!text.startsWith("[")) return new Uint8Array(getBase58Encoder().encode(text))
  const list: unknown = JSON.parse(text)
  const isByte = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255
  if (!Array.isArray(list) || !list.every(isByte)) throw new TypeError("not bytes")
  return Uint8Array.from(list)
}

const signerOf = async (bytes: Uint8Array) => {
  const { createKeyPairSignerFromBytes, createKeyPairSignerFromPrivateKeyBytes } = await import("@solana/kit")
  return bytes.length === 32
    ? createKeyPairSignerFromPrivateKeyBytes(bytes)
    : createKeyPairSignerFromBytes(bytes)
}

const solanaWalletFrom = (key: Redacted.Redacted, rpcUrl: string) =>
  Effect.tryPromise({
    try: async () => {
      const { solanaWallet } = await import("../client/solana-wallet.ts")
      return solanaWallet(await signerOf(await solanaBytes(Redacted.value(key).trim())), rpcUrl)
    },
    catch: () =>
      unusable(
        "the key to pay on Solana (TOKEN_RISK_SOLANA_KEY, --solana-key-file) must be base58 of 64 bytes or a JSON array of them"
      )
  })

/** First of the service's comma-separated list, so that one environment serves both. */
const solanaRpcUrl = Config.nonEmptyString("SOLANA_RPC_URL").pipe(
  Config.withDefault(PUBLIC_SOLANA_RPC),
  Effect.map((list) => list.split(",", 1)[0]?.trim() ?? PUBLIC_SOLANA_RPC),
  Effect.mapError(() => unusable("SOLANA_RPC_URL cannot be read"))
)

/**
 * The wallet of the files and of `TOKEN_RISK_BASE_KEY` (0x hex) and `TOKEN_RISK_SOLANA_KEY` (base58 or JSON array).
 * Without any key it is a wallet that cannot pay, which is enough for free calls.
 */
export const openWallet = Effect.fnUntraced(function* (sources: KeySources) {
  const base = yield* keyFrom(sources.baseKeyFile, "TOKEN_RISK_BASE_KEY")
  const solana = yield* keyFrom(sources.solanaKeyFile, "TOKEN_RISK_SOLANA_KEY")
  const wallets: Array<Wallet> = []
  if (Option.isSome(base)) wallets.push(yield* baseWallet(base.value))
  if (Option.isSome(solana)) wallets.push(yield* solanaWalletFrom(solana.value, yield* solanaRpcUrl))
  return combineWallets(...wallets)
})
