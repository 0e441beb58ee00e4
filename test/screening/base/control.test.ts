import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import type { Address, Hex } from "viem"
import { pad } from "viem"
import { known } from "../../../src/domain/fact.ts"
import { BRIDGES, SAFE_SINGLETONS, ZERO_ADDRESS } from "../../../src/screening/base/addresses.ts"
import { openBridges } from "../../../src/screening/base/reads/bridges.ts"
import { PROXY_SLOTS } from "../../../src/screening/base/power/proxy-slots.ts"
import { classify } from "../../../src/screening/base/reads/accounts.ts"
import { gateValues, findingsBehind } from "../../../src/screening/base/power/code-evidence.ts"
import { readOwner } from "../../../src/screening/base/power/owner.ts"
import { endsPower, isProven, mintAuthorityOff, powerOf } from "../../../src/screening/base/power/power.ts"
import { baseSignals } from "../../../src/screening/base/signals/table.ts"
import type { BaseEvidence } from "../../../src/screening/base/evidence.ts"
import { detectProxy } from "../../../src/screening/base/power/proxy.ts"
import { answer, ask } from "../../support/base/answers.ts"
import {
  BLOCK_TIME,
  OWNER,
  TOKEN,
  clean,
  found,
  harmlessCode,
  withPower
} from "../../support/base/fixtures.ts"

const nothing = { threshold: undefined, owners: undefined, minDelay: undefined, delay: undefined }
const slot = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`
const empty = [slot(0n), slot(0n), slot(0n), slot(0n)]
const IMPLEMENTATION = "0x5555555555555555555555555555555555555555"

describe("the owner", () => {
  it("is renounced only when a getter says nobody; silence is no renouncing", () => {
    expect(ask(readOwner(TOKEN), [])).toMatchObject({ status: "none", owner: null })
    expect(ask(readOwner(TOKEN), [answer(TOKEN, "0x8da5cb5b", [], ZERO_ADDRESS)])).toMatchObject({
      status: "renounced"
    })
    const dead = "0x000000000000000000000000000000000000dead"
    expect(ask(readOwner(TOKEN), [answer(TOKEN, "0x893d20e8", [], dead)])).toMatchObject({
      status: "renounced"
    })
  })

  it("is held when any of its names is somebody, whatever the others say", () => {
    const answers = [answer(TOKEN, "0x8da5cb5b", [], ZERO_ADDRESS), answer(TOKEN, "0x893d20e8", [], OWNER)]
    expect(ask(readOwner(TOKEN), answers)).toMatchObject({ status: "held", owner: OWNER })
  })

  it("may be beside a minter, a pending owner, a lock that ends, and roles", () => {
    const claims = ask(readOwner(TOKEN), [
      answer(TOKEN, "0x07546172", [], OWNER),
      answer(TOKEN, "0xe30c3978", [], OWNER),
      answer(TOKEN, "0xb6c52324", [], BLOCK_TIME),
      answer(TOKEN, "0xa217fddf", [], 0)
    ])
    expect(claims).toMatchObject({
      sideHolder: OWNER,
      pendingOwner: OWNER,
      unlockTime: BLOCK_TIME,
      roles: { admins: null }
    })
  })

  it("is no address when the answer does not fit one", () => {
    expect(ask(readOwner(TOKEN), [answer(TOKEN, "0x8da5cb5b", [], (1n << 200n) + 7n)])).toMatchObject({
      status: "none"
    })
  })
})

describe("a mint that the chain's own bridge alone can use", () => {
  const BRIDGE = "0x4200000000000000000000000000000000000010"
  const bridged: BaseEvidence = withPower({
    hiddenMint: found,
    proof: { ...harmlessCode.proof, held: [{ selector: "0x40c10f19", by: [BRIDGE] }] }
  })
  const judged = (evidence: BaseEvidence) =>
    baseSignals.find(({ id }) => id === "MINT_POWER")?.judge(evidence)

  // Whoever writes the token on the other side creates there what they bring over.
  it("is unknown, however exactly it follows what crosses: the token on the other side was not read", () => {
    expect(powerOf(bridged, ({ hiddenMint }) => hiddenMint)).toEqual({ state: "bridge", by: [BRIDGE] })
    expect(judged(bridged)).toMatchObject({ state: "unknown" })
    expect(mintAuthorityOff(bridged)).not.toBe(true)
  })

  it("is nobody's while the bridge is not in operation, and another bridge's is no reason", () => {
    const shut = { ...bridged, bridges: new Set<Address>(["0x4200000000000000000000000000000000000028"]) }
    expect(judged(shut)).toMatchObject({ state: "pass" })
    expect(mintAuthorityOff(shut)).toBe(true)
    expect(judged({ ...bridged, bridges: new Set<Address>([BRIDGE]) })).toMatchObject({ state: "unknown" })
  })

  it("is known of an established asset", () => {
    expect(judged({ ...bridged, established: true })).toMatchObject({ state: "pass" })
  })

  it("is known of what a launchpad made that makes the same code at the same address everywhere, and of no other", () => {
    const clanker = { ...bridged, launchpad: "clanker-v4" } as const
    expect(judged(clanker)).toMatchObject({ state: "pass" })
    expect(mintAuthorityOff(clanker)).toBe(true)
    expect(judged({ ...bridged, launchpad: "doppler" })).toMatchObject({ state: "unknown" })
  })
})

describe("a bridge of the chain", () => {
  const [standard = ZERO_ADDRESS, interop = ZERO_ADDRESS] = [...BRIDGES]
  const proxy: Hex = `0x6000${PROXY_SLOTS.implementation.slice(2)}54`
  const empty = pad("0x00")
  const set = pad("0x01")

  it("is in operation where code stands behind it, and where it is no proxy", () => {
    const read = (code: Hex, slot: Hex) => openBridges([{ code, slots: [slot] }]).has(standard)
    expect(read(proxy, set)).toBe(true)
    expect(read("0x6001", empty)).toBe(true)
    expect(read(proxy, empty)).toBe(false)
    expect(read("0x", empty)).toBe(false)
  })

  it("is in operation where it was not read", () => {
    expect(openBridges([])).toEqual(new Set([standard, interop]))
    expect(openBridges([{ code: proxy, slots: [] }]).has(standard)).toBe(true)
    expect(openBridges([{ code: proxy, slots: [empty] }]).has(interop)).toBe(true)
  })
})

/** `SafeProxy` 1.4.1 as npm @safe-global/safe-contracts ships it. */
const SAFE_PROXY =
  "0x608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033"

describe("whoever holds a power", () => {
  it("is one private key without code, and with borrowed code", () => {
    expect(classify(OWNER, "0x", undefined, nothing).kind).toBe("eoa")
    expect(classify(OWNER, `0xef0100${"ab".repeat(20)}`, undefined, nothing).kind).toBe("eoa")
  })

  it("is a multisig only through the factories' proxy and a published singleton, whatever it claims", () => {
    const claims = { ...nothing, threshold: 3n, owners: 5n }
    expect(classify(OWNER, SAFE_PROXY, slot(SAFE_SINGLETONS[0] ?? "0x0"), claims)).toEqual({
      kind: "multisig",
      threshold: 3,
      owners: 5
    })
    // A contract of one's own may keep a singleton in its first slot and obey anybody.
    expect(classify(OWNER, "0x6001", slot(SAFE_SINGLETONS[0] ?? "0x0"), claims).kind).toBe("contract")
    expect(classify(OWNER, SAFE_PROXY, slot(7n), claims).kind).toBe("contract")
    const alone = { ...claims, threshold: 1n }
    expect(classify(OWNER, SAFE_PROXY, slot(SAFE_SINGLETONS[0] ?? "0x0"), alone).kind).toBe("eoa")
  })

  it("is a timelock only by published code and with at least a day", () => {
    // The runtime code of npm @openzeppelin/contracts 5.3.0's TimelockController.
    const text = readFileSync(new URL("../../support/base/timelock.hex", import.meta.url), "utf8").trim()
    const published: Hex = `0x${text.slice(2)}`
    expect(classify(OWNER, published, slot(0n), { ...nothing, minDelay: 172_800n })).toEqual({
      kind: "timelock",
      delaySeconds: 172_800
    })
    expect(classify(OWNER, published, slot(0n), { ...nothing, minDelay: 60n }).kind).toBe("contract")
    // A queue's selectors and a delay on request are anybody's.
    for (const pretender of ["0x6301d5062a14", `${published.slice(0, 400)}00${published.slice(402)}`]) {
      const code: Hex = `0x${pretender.slice(2)}`
      expect(classify(OWNER, code, slot(0n), { ...nothing, minDelay: 172_800n }).kind).toBe("contract")
    }
  })

  it("is nobody at a burn address", () => {
    expect(classify(ZERO_ADDRESS, "0x", undefined, nothing).kind).toBe("nobody")
  })
})

describe("a proxy", () => {
  it("of EIP-1167 can never change, in its long, short and PUSH0 forms, with words behind its code or none", () => {
    const target = IMPLEMENTATION.slice(2)
    const forms: ReadonlyArray<Hex> = [
      `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`,
      `0x365f5f375f5f365f73${target}5af43d5f5f3e5f3d91602a57fd5bf3`,
      `0x5f5f365f5f37365f73${target}5af43d5f5f3e6029573d5ffd5b3d5ff3`,
      `0x3d3d3d3d363d3d37363d73${target}5af43d3d93803e602a57fd5bf3`
    ]
    for (const code of forms.flatMap((form): ReadonlyArray<Hex> => [form, `${form}5b${target}`])) {
      expect(detectProxy(TOKEN, code, empty, undefined)).toEqual({
        kind: "minimal",
        implementation: IMPLEMENTATION
      })
    }
    const short: Hex = `0x363d3d373d3d3d363d70${target.slice(6)}5af43d82803e903d91602857fd5bf3`
    expect(detectProxy(TOKEN, short, empty, undefined)).toMatchObject({
      implementation: `0x000000${target.slice(6)}`
    })
  })

  it("is none that jumps behind its end", () => {
    const target = IMPLEMENTATION.slice(2)
    const jumps: ReadonlyArray<Hex> = [
      `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602d57fd5bf35b00`,
      `0x363d3d373d3d3d363d70${target.slice(6)}5af43d82803e903d91602b57fd5bf35b00`,
      `0x5f5f365f5f37365f73${target}5af43d5f5f3e602d573d5ffd5b3d5ff35b00`
    ]
    for (const code of jumps) expect(detectProxy(TOKEN, code, empty, undefined)).toEqual({ kind: "none" })
  })

  it("is found in the slots of EIP-1967, a beacon or the older ones, and in a diamond's facets", () => {
    const code: Hex = "0x6001"
    const [implementation, admin, beacon, zos] = [
      slot(IMPLEMENTATION),
      slot(OWNER),
      slot("0x66"),
      slot("0x77")
    ]
    expect(detectProxy(TOKEN, code, [implementation, admin, slot(0n), slot(0n)], undefined)).toEqual({
      kind: "upgradeable",
      implementation: IMPLEMENTATION,
      admin: OWNER
    })
    expect(detectProxy(TOKEN, code, [slot(0n), slot(0n), beacon, slot(0n)], undefined).kind).toBe("beacon")
    expect(detectProxy(TOKEN, code, [slot(0n), slot(0n), slot(0n), zos], undefined).kind).toBe("upgradeable")
    expect(detectProxy(TOKEN, code, empty, IMPLEMENTATION)).toEqual({
      kind: "diamond",
      facet: IMPLEMENTATION
    })
    expect(detectProxy(TOKEN, code, empty, undefined)).toEqual({ kind: "none" })
  })

  it("whose code cannot be read leaves every power unknown; one facet proves no absence", () => {
    const upgradeable = { kind: "upgradeable", implementation: IMPLEMENTATION, admin: null } as const
    expect(findingsBehind(upgradeable, undefined).known).toBe(false)
    const diamond = findingsBehind({ kind: "diamond", facet: IMPLEMENTATION }, harmlessCode)
    const states = Object.values(diamond.known ? diamond.value : {}).flatMap((value) =>
      typeof value === "object" && "state" in value ? [value.state] : []
    )
    expect(new Set(states)).toEqual(new Set(["undecided"]))
  })

  it("that somebody can upgrade leaves the mint authority open, and one that nobody can does not", () => {
    const proxy = { kind: "upgradeable", implementation: IMPLEMENTATION, admin: OWNER } as const
    const code = { ...clean.code, proxy, upgrader: { kind: "eoa" } as const }
    expect(mintAuthorityOff({ ...clean, code })).toBeNull()
    expect(mintAuthorityOff({ ...clean, code: { ...code, upgrader: { kind: "nobody" } } })).toBe(true)
  })
})

describe("a power's gate", () => {
  const mint = (value: bigint, status: "renounced" | "none" | "held" = "renounced") => {
    const evidence = withPower({ hiddenMint: found })
    return powerOf(
      {
        ...evidence,
        owner: status === "held" ? evidence.owner : { ...clean.owner, status },
        code: { ...evidence.code, gates: known([{ slot: "0x00", value }]) }
      },
      ({ hiddenMint }) => hiddenMint
    ).state
  }

  it("is open while its slot can hold an account, also packed beside flags", () => {
    expect(mint(BigInt(OWNER))).toBe("live")
    expect(mint((BigInt(OWNER) << 8n) | 1n)).toBe("live")
    expect(mint((1n << 160n) | BigInt(OWNER))).toBe("live")
  })

  it("is closed when it holds nobody, a flag or a number and ownership was given up", () => {
    for (const value of [0n, 1n, 0xdeadn, 1n << 160n, 18n]) expect(mint(value)).toBe("gone")
  })

  it("that reads empty proves nothing where no owner function confirms it", () => {
    expect(mint(0n, "none")).toBe("unknown")
    expect(mint(0n, "held")).toBe("live")
  })

  it("held by an account the token does not name weighs like one private key", () => {
    const evidence = withPower({ hiddenMint: found })
    const hidden = powerOf({ ...evidence, owner: clean.owner }, ({ hiddenMint }) => hiddenMint)
    expect(hidden).toMatchObject({ state: "live", holder: { kind: "hidden" } })
  })

  it("that was not read leaves the values missing", () => {
    const findings = known({ ...harmlessCode, gateSlots: ["0x05", "0x06"] })
    expect(gateValues(findings, ["0x5", "0x6"], [slot(1n), slot(2n)])).toEqual(
      known([
        { slot: "0x05", value: 1n },
        { slot: "0x06", value: 2n }
      ])
    )
    expect(gateValues(findings, ["0x5"], [slot(1n)]).known).toBe(false)
  })
})

describe("a power that storage has ended", () => {
  it("is no finding any more, and its former holder is still weighed as an owner", () => {
    expect(endsPower({ ...harmlessCode, hiddenMint: found }, harmlessCode)).toBe(true)
    expect(endsPower(harmlessCode, harmlessCode)).toBe(false)
    expect(isProven(clean)).toBe(true)
    expect(isProven({ ...clean, code: { ...clean.code, hasEndedPower: true } })).toBe(false)
  })
})
