import { createHash, hash as hashOf } from "node:crypto"
import { Effect, Random } from "effect"
import type { Address, Hex } from "viem"

/** Values that no token can foresee, all from one seed that the report names. */
export interface Dice {
  readonly seed: Hex
  readonly between: (name: string, low: bigint, high: bigint) => bigint
  /** As many numbers of three digits as of four, of four as of five, and so on. */
  readonly magnitude: (name: string, low: bigint, high: bigint) => bigint
  readonly shuffled: <A>(name: string, items: ReadonlyArray<A>) => ReadonlyArray<A>
  readonly address: (name: string) => Address
}

/** Unpredictable bytes as hexadecimal digits: 128 random bits are drawn, and the rest is hashed from them. */
export const randomDigits = (bytes: number): Effect.Effect<string> =>
  Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 2 ** 32), 4), (drawn) =>
    createHash("shake256", { outputLength: bytes }).update(drawn.join("/")).digest("hex")
  )

export const makeDice = (seed: Hex): Dice => {
  const hash = (name: string): Hex => `0x${hashOf("sha256", `${seed}/${name}`, "hex")}`
  const between: Dice["between"] = (name, low, high) => low + (BigInt(hash(name)) % (high - low + 1n))
  return {
    seed,
    between,
    magnitude: (name, low, high) => {
      const doublings = between(`${name} size`, 0n, BigInt((high / low).toString(2).length - 1))
      const from = low << doublings
      const to = from * 2n > high ? high : from * 2n
      return from >= to ? high : between(name, from, to)
    },
    shuffled: (name, items) =>
      items
        .map((item, index) => ({ item, at: hash(`${name} ${index}`) }))
        .toSorted((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ item }) => item),
    address: (name) => `0x${hash(`account ${name}`).slice(2, 42)}`
  }
}
