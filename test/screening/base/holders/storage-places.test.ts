import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Hex, bytesToHex, concat, keccak256, numberToHex, pad } from "viem"
import { dataPlaces, hasEndlessList } from "../../../../src/screening/base/holders/storage-lists.ts"
import {
  addressWords,
  allowancePlaces,
  placesOf
} from "../../../../src/screening/base/holders/storage-places.ts"

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })
/** Code that pushes these words. */
const pushing = (...words: ReadonlyArray<Hex>): Hex =>
  concat([...words.flatMap((one) => ["0x7f", one] as const), "0x00"])

const ghost = pad("0x00000000000000000000000000000000005eC4e7", { size: 32 })
const balanceOfGhost = keccak256(concat([ghost, word(1n)]))
/** ERC-7201 of "openzeppelin.storage.ERC20", as OpenZeppelin's sources state it. */
const ERC20_STORAGE: Hex = "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"

it("a constant that may be the place of somebody's balance is no place of the code's own", () => {
  const { bases, scalars } = placesOf(pushing(balanceOfGhost), [], [], [])
  expect(scalars).not.toContain(balanceOfGhost)
  expect(bases).not.toContain(balanceOfGhost)
})

it("a namespace whose name is known is looked at whole", () => {
  const { bases, scalars } = placesOf(pushing(ERC20_STORAGE), [], [], [])
  expect(bases).toContain(ERC20_STORAGE)
  for (const member of [0n, 1n, 2n, 3n, 4n]) expect(scalars).toContain(word(BigInt(ERC20_STORAGE) + member))
})

it("a namespace whose name is known is looked at whole where code names only its members, or keeps it among its data", () => {
  const member = word(BigInt(ERC20_STORAGE) + 2n)
  for (const code of [pushing(member), concat(["0x00fe", ERC20_STORAGE])]) {
    const { bases, scalars } = placesOf(code, [], [], [])
    expect(bases).toContain(ERC20_STORAGE)
    expect(scalars).toContain(word(BigInt(ERC20_STORAGE) + 4n))
  }
  const other = word(BigInt(ERC20_STORAGE) + 0x100n)
  expect(placesOf(pushing(other), [], [], []).scalars).not.toContain(other)
})

it("a long text is looked for behind every slot of the token's own, one of a namespace too", () => {
  const places = placesOf(pushing(ERC20_STORAGE), [], [], [])
  const texts = (slot: bigint) => dataPlaces([{ slot, value: 2n * 40n + 1n }], places, [])
  const data = (slot: bigint) => BigInt(keccak256(word(slot)))
  for (const slot of [4n, BigInt(ERC20_STORAGE) + 3n])
    expect(texts(slot)).toEqual([word(data(slot)), word(data(slot) + 1n)])
  expect(texts(BigInt(balanceOfGhost))).toEqual([])
})

it("the slots of proxies are looked at whatever the code behind one names", () => {
  // EIP-1967: of the implementation.
  const slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
  expect(placesOf("0x00", [], [], []).scalars).toContain(slot)
})

it("an account that a constructor fixed is no table's beginning, where others' entries would be taken for its own", () => {
  const { bases, keys } = placesOf(pushing(ghost), [], [], [])
  expect(keys).toContain(ghost)
  expect(bases).not.toContain(ghost)
})

it("a list is endless under whatever word it begins, an account's, a slot's or one of a pair", () => {
  const places = {
    scalars: [],
    bases: [word(7n)],
    keys: [pad("0xb0b", { size: 32 })],
    pairs: [[ghost, word(9n)]]
  } as const
  const begins = (key: Hex) => BigInt(keccak256(concat([key, word(6n)])))
  for (const key of [word(7n), pad("0xb0b", { size: 32 }), ghost, word(9n)]) {
    const born = (value: bigint) => hasEndlessList([{ slot: begins(key), value }], places, [6n])
    expect(born(1n << 250n)).toBe(true)
    expect(born(3n)).toBe(false)
  }
  expect(hasEndlessList([{ slot: begins(word(8n)), value: 1n << 250n }], places, [6n])).toBe(false)
})

it("numbers that are no hashes are looked at as they are", () => {
  const places = [word(0x929eee149b4bd21268n), word(BigInt.asUintN(256, ~0x8b78c6d8n))]
  expect(placesOf(pushing(...places), [], [], []).scalars).toEqual(expect.arrayContaining(places))
})

it("what an account may allow is looked for in either order", () => {
  const pool = pad("0x1111111111111111111111111111111111111111", { size: 32 })
  const isPool = (account: Hex): boolean => account.endsWith("1111")
  const entry = (first: Hex, second: Hex): Hex =>
    keccak256(concat([second, keccak256(concat([first, word(2n)]))]))
  for (const [first, second] of [
    [pool, ghost],
    [ghost, pool]
  ] as const)
    expect(
      allowancePlaces(placesOf("0x00", [], [[first, second]], []), isPool).flatMap(({ slots }) => slots)
    ).toContain(entry(first, second))
  expect(allowancePlaces(placesOf("0x00", [], [[ghost, ghost]], []), isPool)).toEqual([])
})

it("an account among a birth's arguments is found, whatever stands before it", () => {
  const bytes = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((made) => bytesToHex(made))
  const accounts = bytes(20).filter((account) => !/^0x0{16}/.test(account))
  // Supplies in whole tokens end with zeros.
  const supplies = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.nat(30))
    .map(([tokens, decimals]) => word(BigInt.asUintN(256, tokens << BigInt(8 * decimals))))
  const code = fc.nat(200).chain(bytes)
  const heads = fc.oneof(
    bytes(4),
    code.map((made) => concat([made, "0x64736f6c634300081a0033"]))
  )
  fc.assert(
    fc.property(heads, fc.array(supplies, { maxLength: 3 }), accounts, (head, before, account) => {
      const argument = pad(account, { size: 32 })
      expect(addressWords(concat([head, ...before, argument]))).toContain(argument)
    })
  )
})
