import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../src/domain/fact.ts"
import { BRIDGES } from "../../../src/screening/base/addresses.ts"
import type { B20Evidence } from "../../../src/screening/base/b20/evidence.ts"
import type { BaseEvidence } from "../../../src/screening/base/evidence.ts"
import type { CodeFindings, Finding } from "../../../src/screening/base/power/findings.ts"
import type { Hole } from "../../../src/screening/base/power/proof/hole.ts"
import type { WalletFindings } from "../../../src/screening/base/simulation/wallet-trial.ts"
import {
  OWNER,
  clean,
  found,
  harmlessCode,
  judge,
  pair,
  pool,
  withTrades
} from "../../support/base/fixtures.ts"

/** Evidence of which a piece is missing, and the signals that must say that they do not know. */
type Gap = readonly [evidence: BaseEvidence, unknown: ReadonlyArray<string>]

/** The same, where the rest is proof enough for a token to be called safe. */
interface Gaps {
  readonly forbid?: Readonly<Record<string, Gap>>
  readonly leave?: Readonly<Record<string, Gap>>
}

const undecided: Finding = { state: "undecided", why: "too deep" }
const code = (change: Partial<CodeFindings>): BaseEvidence => ({
  ...clean,
  code: { ...clean.code, findings: known({ ...harmlessCode, ...change }) }
})

const hole: Hole = { selector: "0x40c10f19", kind: "creates", privileged: false, why: "open", heldBy: [] }

const plain: B20Evidence = {
  supplyCap: clean.shape.supply,
  transfersPaused: known(false),
  holders: new Map(),
  everybody: known(true),
  sealed: new Set(),
  policies: known([])
}
const native = (change: Partial<B20Evidence>): BaseEvidence => ({ ...clean, native: { ...plain, ...change } })

const sold = { name: "sell soon", sold: true, taxBps: 0 }
const lived: WalletFindings = { seed: "s", sales: [sold], whale: null, permit2: null, others: [], refused: 0 }

/** Launches name whom this one obeys. */
const DOPPLER = "0xbdf938149ac6a781f94faa0ed45e6a0e984c6544"
const hooked = (hooks: `0x${string}`) =>
  pool({ kind: "v4", v4: { poolId: `0x${"22".repeat(32)}`, hooks, dynamicFee: true } })

const unfinished = { ...clean, holders: { ...clean.holders, complete: missing("long") } }

const words = (text: string): ReadonlyArray<string> => text.split(" ")
const POWERS = words(
  "MINT_POWER BLACKLIST_POWER SELL_LIMIT_POWER PAUSE_POWER SEIZE_POWER LEAK_POWER FEE_POWER HIDDEN_OWNER REPLACEABLE_CODE"
)
const PROOFS = ["TRANSFER_PROVEN", "BALANCES_PROVEN"]
const TRADES = words(
  "HONEYPOT TRADING_BLOCKED SELL_TAX BUY_TAX TRANSFER_TAX LATER_SELL SIMULATION_EVASION FULL_SELL HOLDERS_BLOCKED"
)

/** Every kind of evidence has its say: one that is added does not compile before it does. `{}`: it is always there. */
const gaps: Readonly<Record<keyof BaseEvidence, Gaps>> = {
  token: {},
  blockTime: {},
  established: {},
  pairs: {},
  liquidityUsd: {},
  launchpad: {},
  hookRuler: {
    forbid: { "whom its hook obeys": [{ ...clean, pools: [hooked(DOPPLER)] }, ["UNKNOWN_HOOK"]] }
  },
  delegates: {},
  bridges: {
    forbid: {
      "what a bridge brings": [
        code({
          hiddenMint: found,
          proof: { ...harmlessCode.proof, held: [{ selector: "0x40c10f19", by: [...BRIDGES].slice(0, 1) }] }
        }),
        ["MINT_POWER"]
      ]
    }
  },
  shape: {
    forbid: {
      "symbol or name": [{ ...clean, shape: { ...clean.shape, areTextsTold: false } }, ["COPYCAT"]],
      "what a pool is told of its balance": [
        { ...clean, shape: { ...clean.shape, seenByPools: new Map() } },
        ["BALANCES_INCONSISTENT"]
      ],
      "the supply": [
        { ...clean, shape: { ...clean.shape, supply: null } },
        ["HIDDEN_SUPPLY", "HOLDER_CONCENTRATION"]
      ]
    }
  },
  code: {
    forbid: {
      "a contract": [{ ...clean, code: { ...clean.code, account: "none" } }, [...POWERS, ...PROOFS]],
      "what the code can do": [
        { ...clean, code: { ...clean.code, findings: missing("too long") } },
        [...POWERS, ...PROOFS, "ENVIRONMENT_GATE"]
      ],
      "who may use a power": [
        { ...clean, code: { ...code({ hiddenMint: found }).code, gates: missing("cut") } },
        ["MINT_POWER"]
      ],
      "whether balances are conserved": [
        code({ proof: { ...harmlessCode.proof, conservation: { holes: [hole] } } }),
        ["BALANCES_PROVEN"]
      ],
      minting: [code({ hiddenMint: undecided }), ["MINT_POWER"]],
      "stopping one holder": [code({ blacklist: undecided }), ["BLACKLIST_POWER"]],
      "limiting sales": [code({ limitingSell: undecided }), ["SELL_LIMIT_POWER"]],
      pausing: [code({ pause: undecided }), ["PAUSE_POWER"]],
      seizing: [code({ balanceSeizure: undecided }), ["SEIZE_POWER"]],
      leaking: [code({ leakingToken: undecided }), ["LEAK_POWER"]],
      "a fee": [code({ unboundedFee: undecided }), ["FEE_POWER"]],
      "other code": [code({ replaceableCode: undecided }), ["REPLACEABLE_CODE"]]
    },
    leave: {
      "a gate beside the owner's": [code({ hiddenOwner: undecided }), ["HIDDEN_OWNER"]],
      "what tells a trial from a trade": [code({ environmentGate: undecided }), ["ENVIRONMENT_GATE"]]
    }
  },
  native: {
    forbid: {
      "who has roles": [native({ everybody: missing("cut") }), [...PROOFS, "OWNER_ACTIVE"]],
      "whether transfers are paused": [
        native({ transfersPaused: missing("cut") }),
        [...PROOFS, "NATIVE_TRANSFERS"]
      ],
      "its policies": [native({ policies: missing("cut") }), [...PROOFS, "NATIVE_TRANSFERS"]],
      "what a policy lets strangers do": [
        native({
          policies: known([{ gates: "transfer", changers: known([]), allowsTrade: missing("cut") }])
        }),
        ["NATIVE_TRANSFERS"]
      ]
    }
  },
  owner: {
    leave: {
      "what the owner holds": [
        { ...clean, owner: { ...clean.owner, status: "held", owner: OWNER, holder: { kind: "eoa" } } },
        ["OWNER_SUPPLY"]
      ]
    }
  },
  pools: {
    forbid: {
      "what a pool holds": [
        { ...clean, pools: [pool({ tokenBalance: null })] },
        ["BALANCES_INCONSISTENT", "HOLDER_CONCENTRATION"]
      ],
      "any pool": [{ ...clean, pools: [] }, ["BALANCES_INCONSISTENT"]],
      "a pool's fee": [{ ...clean, pools: [pool({ feeUnread: true })] }, ["POOL_FEE"]],
      "a hook's code": [{ ...clean, pools: [hooked(OWNER)] }, ["UNKNOWN_HOOK"]]
    },
    leave: {
      "earlier liquidity": [{ ...clean, pools: [pool({ earlierQuoteReserve: null })] }, ["LIQUIDITY_MOVED"]]
    }
  },
  market: {
    forbid: { "market data": [{ ...clean, market: missing("down") }, ["MARKET_DATA", "NEW_POOL"]] },
    leave: {
      "when pools were made": [{ ...clean, market: known([pair({ createdAt: null })]) }, ["NEW_POOL"]]
    }
  },
  price: {
    forbid: { "a price": [{ ...clean, price: { price: missing("none"), spread: null } }, ["PRICE_DISPUTED"]] }
  },
  ethUsd: {
    forbid: {
      "ether's price": [
        { ...clean, ethUsd: missing("disputed"), pools: [pool({ quoteUsd: 0 })] },
        ["NO_TRUSTED_LIQUIDITY", "THIN_LIQUIDITY", "MARKET_DATA"]
      ]
    }
  },
  lp: {
    forbid: {
      "who can take the liquidity": [
        { ...clean, lp: { locked: null, share: 0, spread: false } },
        ["LP_UNLOCKED"]
      ]
    }
  },
  hooks: {},
  elsewhereUsd: {
    forbid: {
      "what stands where market data sees a pool": [
        { ...clean, pools: [], elsewhereUsd: null },
        ["NO_TRUSTED_LIQUIDITY", "THIN_LIQUIDITY"]
      ]
    }
  },
  unread: {
    forbid: {
      "what exchanges hold": [{ ...clean, unread: null }, ["UNREAD_VENUE"]],
      "where it trades": [{ ...clean, unread: null, pools: [] }, ["UNREAD_VENUE", "NO_TRUSTED_LIQUIDITY"]]
    }
  },
  simulation: {
    forbid: {
      trades: [{ ...clean, simulation: missing("refused") }, TRADES],
      "the sell tax": [withTrades({ sellTaxBps: null }), ["SELL_TAX"]],
      "the buy tax": [withTrades({ buyTaxBps: null }), ["BUY_TAX"]],
      "later sales": [withTrades({ laterSellTaxBps: null }), ["LATER_SELL"]],
      "a sale of everything": [withTrades({ fullSell: missing("cut") }), ["FULL_SELL"]]
    },
    leave: {
      "the transfer tax": [withTrades({ transferTaxBps: null }), ["TRANSFER_TAX"]],
      "real holders": [withTrades({ holders: known({ tried: 0, failed: 0 }) }), ["HOLDERS_BLOCKED"]]
    }
  },
  wallets: {
    forbid: {
      "a later sale's tax": [
        {
          ...withTrades({ laterSellTaxBps: null }),
          wallets: known(lived),
          code: code({
            proof: { ...harmlessCode.proof, transferPath: { holes: [hole] } }
          }).code
        },
        ["LATER_SELL"]
      ]
    },
    leave: {
      "simulated blocks": [clean, ["WALLET_SALES", "WALLET_SIZE", "WALLET_POOLS", "WALLET_ROUTERS"]]
    }
  },
  holders: {
    forbid: {
      "a young token's storage": [{ ...unfinished, age: 60n }, ["HIDDEN_SUPPLY"]],
      "most of the supply": [
        { ...clean, holders: { ...clean.holders, complete: missing("long"), found: 0n } },
        ["HOLDER_CONCENTRATION"]
      ]
    },
    leave: {
      "a twentieth of the supply": [
        {
          ...clean,
          holders: { ...clean.holders, complete: missing("long"), found: (10n ** 25n * 95n) / 100n }
        },
        ["HIDDEN_SUPPLY", "HOLDER_CONCENTRATION"]
      ],
      "some of many holders": [
        { ...clean, holders: { ...clean.holders, complete: missing("long"), scattered: true } },
        ["HIDDEN_SUPPLY", "HOLDER_CONCENTRATION"]
      ],
      "an old token's storage": [unfinished, ["HIDDEN_SUPPLY"]]
    }
  },
  age: {
    forbid: {
      "when it began, and its storage": [{ ...unfinished, age: null }, ["HIDDEN_SUPPLY"]]
    }
  },
  hadMoney: {
    forbid: {
      "whether money was in its pools all the while, and its storage": [
        { ...unfinished, hadMoney: false },
        ["HIDDEN_SUPPLY"]
      ]
    }
  }
}

const unknownIn = (evidence: BaseEvidence): ReadonlyArray<string> =>
  judge(evidence).signals.flatMap(({ id, state }) => (state === "unknown" ? [id] : []))

const named = (which: keyof Gaps) => Object.values(gaps).flatMap((kind) => Object.entries(kind[which] ?? {}))

describe("a token on Base of which is not known", () => {
  it("nothing that the chain could tell is allowed and safe", () => {
    expect(judge({ ...clean, wallets: known(lived) })).toMatchObject({ safe: true, verdict: "allow" })
    expect(unknownIn({ ...clean, wallets: known(lived) })).toEqual(["HOLDERS_BLOCKED", "CREATOR_HISTORY"])
  })

  it.each(named("forbid"))("%s is not called safe, and its report says why", (_, [evidence, ids]) => {
    expect(unknownIn(evidence)).toEqual(expect.arrayContaining([...ids]))
    expect(judge(evidence).safe).not.toBe(true)
    expect(judge(evidence).verdict).not.toBe("allow")
  })

  it.each(named("leave"))("%s may be safe by the rest, and its report names it", (_, [evidence, ids]) => {
    expect(unknownIn(evidence)).toEqual(expect.arrayContaining([...ids]))
    expect(judge(evidence).score).toBeGreaterThanOrEqual(judge(clean).score)
  })
})
