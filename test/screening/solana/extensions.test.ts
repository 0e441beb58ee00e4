import { describe, expect, it } from "@effect/vitest"
import { address, none, some } from "@solana/kit"
import { AccountState, extension, getMintEncoder } from "@solana-program/token-2022"
import type { ExtensionArgs } from "@solana-program/token-2022"
import * as fc from "fast-check"
import {
  effectiveBasisPoints,
  feesAt,
  walkExtensions
} from "../../../src/screening/solana/power/extensions.ts"
import { encodeMint, wallet } from "../../support/solana/encode.ts"

const key = wallet("authority")
const kitKey = address(key)
const nobody = address("11111111111111111111111111111111")

/** A mint by the token program's own published encoder: our walk is checked against it. */
const official = (extensions: ReadonlyArray<ExtensionArgs>): Uint8Array =>
  Uint8Array.from(
    getMintEncoder().encode({
      mintAuthority: null,
      supply: 1n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
      extensions: [...extensions]
    })
  )

const older = { epoch: 1n, maximumFee: 10n, transferFeeBasisPoints: 100 }
const newer = { epoch: 9n, maximumFee: 20n, transferFeeBasisPoints: 900 }
const ciphertext = new Uint8Array(64)

const cases: ReadonlyArray<readonly [ExtensionArgs, unknown]> = [
  [
    extension("TransferFeeConfig", {
      transferFeeConfigAuthority: kitKey,
      withdrawWithheldAuthority: nobody,
      withheldAmount: 5n,
      olderTransferFee: older,
      newerTransferFee: newer
    }),
    {
      transferFee: {
        configAuthority: key,
        withdrawAuthority: null,
        withheld: 5n,
        older: { epoch: 1n, maximumFee: 10n, basisPoints: 100 },
        newer: { epoch: 9n, maximumFee: 20n, basisPoints: 900 }
      }
    }
  ],
  [extension("MintCloseAuthority", { closeAuthority: kitKey }), { mintCloseAuthority: key }],
  [extension("MintCloseAuthority", { closeAuthority: nobody }), { mintCloseAuthority: null }],
  [
    extension("ConfidentialTransferMint", {
      authority: some(kitKey),
      autoApproveNewAccounts: true,
      auditorElgamalPubkey: none()
    }),
    { confidentialTransfer: { authority: key } }
  ],
  [extension("DefaultAccountState", { state: AccountState.Frozen }), { defaultAccountState: 2 }],
  [{ __kind: "NonTransferable" }, { nonTransferable: true }],
  [
    extension("InterestBearingConfig", {
      rateAuthority: kitKey,
      initializationTimestamp: 1n,
      preUpdateAverageRate: 2,
      lastUpdateTimestamp: 3n,
      currentRate: -400
    }),
    { interestBearing: { rateAuthority: key, basisPoints: -400 } }
  ],
  [extension("PermanentDelegate", { delegate: kitKey }), { permanentDelegate: key }],
  [
    extension("TransferHook", { authority: kitKey, programId: nobody }),
    { transferHook: { authority: key, programId: null } }
  ],
  [
    extension("ConfidentialTransferFee", {
      authority: some(kitKey),
      elgamalPubkey: nobody,
      harvestToMintEnabled: true,
      withheldAmount: ciphertext
    }),
    { confidentialTransferFee: { authority: key } }
  ],
  [
    extension("MetadataPointer", { authority: some(kitKey), metadataAddress: none() }),
    { metadataPointer: { authority: key, address: null } }
  ],
  [
    extension("TokenMetadata", {
      updateAuthority: some(kitKey),
      mint: nobody,
      name: "a name",
      symbol: "SYM",
      uri: "https://example.test",
      additionalMetadata: new Map([["a", "b"]])
    }),
    { tokenMetadata: { updateAuthority: key, name: "a name", symbol: "SYM" } }
  ],
  [extension("GroupPointer", { authority: some(kitKey), groupAddress: none() }), { grouping: true }],
  [
    extension("TokenGroup", { updateAuthority: some(kitKey), mint: nobody, size: 1n, maxSize: 2n }),
    { grouping: true }
  ],
  [extension("GroupMemberPointer", { authority: some(kitKey), memberAddress: none() }), { grouping: true }],
  [extension("TokenGroupMember", { mint: nobody, group: nobody, memberNumber: 1n }), { grouping: true }],
  [
    extension("ScaledUiAmountConfig", {
      authority: kitKey,
      multiplier: 2,
      newMultiplierEffectiveTimestamp: 3n,
      newMultiplier: 4
    }),
    { scaledUiAmount: { authority: key } }
  ],
  [
    extension("ConfidentialMintBurn", {
      confidentialSupply: ciphertext,
      decryptableSupply: new Uint8Array(36),
      supplyElgamalPubkey: nobody,
      pendingBurn: ciphertext
    }),
    { confidentialMintBurn: true }
  ],
  [extension("PermissionedBurn", { authority: some(kitKey) }), { permissionedBurn: { authority: key } }],
  [
    extension("PausableConfig", { authority: some(kitKey), paused: true }),
    { pausable: { authority: key, paused: true } }
  ],
  [
    extension("PausableConfig", { authority: none(), paused: false }),
    { pausable: { authority: null, paused: false } }
  ]
]

describe("walkExtensions", () => {
  for (const [args, expected] of cases) {
    it(`reads ${args.__kind} as the token program writes it`, () => {
      expect(walkExtensions(official([args]))).toEqual({ kind: "complete", extensions: expected })
    })
  }

  it("reads all extensions of one mint, in any order", () => {
    const distinct = cases.filter(
      ([{ __kind }], index) => cases.findIndex(([args]) => args.__kind === __kind) === index
    )
    fc.assert(
      fc.property(fc.shuffledSubarray([...distinct]), (chosen) => {
        fc.pre(chosen.length > 0)
        const walk = walkExtensions(official(chosen.map(([args]) => args)))
        expect(walk.kind).toBe("complete")
        expect(walk.extensions).toEqual(Object.assign({}, ...chosen.map(([, expected]) => expected)))
      })
    )
  })

  it("calls a type it does not know unknown, and still sees the danger behind it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 29, max: 65_535 }), fc.uint8Array({ maxLength: 40 }), (type, value) => {
        const { data } = encodeMint({
          extensions: [
            [type, value],
            [9, new Uint8Array()]
          ]
        })
        expect(walkExtensions(data)).toEqual({
          kind: "unknown-type",
          type,
          extensions: { nonTransferable: true }
        })
      })
    )
  })

  it.each([2, 5, 7, 8, 11, 13, 15, 17, 27])(
    "calls the token-account extension %i on a mint malformed",
    (type) => {
      expect(walkExtensions(encodeMint({ extensions: [[type, new Uint8Array(8)]] }).data).kind).toBe(
        "malformed"
      )
    }
  )

  it("calls an extension that stands twice malformed", () => {
    const twice = encodeMint({
      extensions: [
        [9, new Uint8Array()],
        [9, new Uint8Array()]
      ]
    })
    expect(walkExtensions(twice.data).kind).toBe("malformed")
  })

  it("calls every cut-off mint malformed, never complete without what was cut", () => {
    for (const [args, expected] of cases) {
      const whole = official([args])
      for (let length = 167; length < whole.length; length++) {
        const walk = walkExtensions(whole.subarray(0, length))
        if (walk.kind === "complete") expect(walk.extensions).toEqual(expected)
        expect(walk.kind === "complete" && Object.keys(walk.extensions).length === 0).toBe(false)
      }
    }
  })

  it("accepts padding of zeros behind the last extension and nothing else", () => {
    const { data } = encodeMint({ extensions: [[9, new Uint8Array()]] })
    expect(walkExtensions(Uint8Array.from([...data, 0, 0, 0, 0, 0, 0])).kind).toBe("complete")
    expect(walkExtensions(Uint8Array.from([...data, 0, 0])).kind).toBe("complete")
    expect(walkExtensions(Uint8Array.from([...data, 0, 0, 1, 0, 0, 0])).kind).toBe("malformed")
  })

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        const { data } = encodeMint({ extensions: [] })
        expect(["complete", "unknown-type", "malformed"]).toContain(
          walkExtensions(Uint8Array.from([...data, ...noise])).kind
        )
      })
    )
  })
})

describe("feesAt", () => {
  const fee = {
    configAuthority: null,
    older: { epoch: 1n, maximumFee: 10n, basisPoints: 100 },
    newer: { epoch: 9n, maximumFee: 20n, basisPoints: 900 }
  }
  it("takes the newer fee from its epoch on, and before it shows both", () => {
    expect(feesAt(fee, 8n)).toEqual({ now: fee.older, next: fee.newer })
    expect(feesAt(fee, 9n)).toEqual({ now: fee.newer, next: null })
    expect(feesAt(fee, 10n)).toEqual({ now: fee.newer, next: null })
  })
  it("counts a fee capped at zero as none", () => {
    expect(effectiveBasisPoints({ epoch: 0n, maximumFee: 0n, basisPoints: 10_000 })).toBe(0)
    expect(effectiveBasisPoints({ epoch: 0n, maximumFee: 1n, basisPoints: 10_000 })).toBe(10_000)
  })
})
