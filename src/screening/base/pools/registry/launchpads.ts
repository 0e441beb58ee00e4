import type { LaunchpadRow, RegistryRow } from "./row.ts"
import { saidBy } from "./row.ts"

const clanker = saidBy("clanker-devco/clanker-sdk src/utils/clankers.ts; clanker-devco/DOCS references")
const allowlist = saidBy(
  "Uniswap routing hooksAddressesAllowlist.ts; npm @zoralabs/protocol-deployments 0.7.6"
)
const doppler = saidBy("whetstoneresearch/doppler Deployments.json")
const flaunch = saidBy("flayerlabs/flaunchgg-contracts README")
const zora = saidBy("npm @zoralabs/protocol-deployments 0.7.6")

/** Clanker's factories whose tokens trade in a V3 pool. */
export const CLANKER_V3: ReadonlyArray<LaunchpadRow> = [
  {
    locker: "0x618a9840691334ee8d24445a4ada4284bf42417d",
    ...clanker("0x732560fa1d1a76350b1a500155ba978031b53833", "Clanker v2")
  },
  {
    locker: "0x5ec4f99f342038c67a312a166ff56e6d70383d86",
    ...clanker("0x375c15db32d28cecdcab5c03ab889bf15cbd2c5e", "Clanker v3")
  },
  {
    locker: "0x33e2eda238edcf470309b8c6d228986a1204c8f9",
    ...clanker("0x2a787b2362021cc3eea3c24c4748a6cd5b687382", "Clanker v3.1")
  }
]

/** Launchpads that answer for their tokens themselves. */
export const LAUNCHPAD_ROWS = {
  clankerV4: clanker("0xe85a59c628f7d27878aceb4bf3b35733630083a9", "Clanker v4"),
  zora: zora("0x777777751622c0d3258f214f9df38e35bf45baf3", "Zora coins"),
  dopplerAirlock: doppler("0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12", "Doppler's Airlock"),
  dopplerNoMigration: doppler(
    "0x6ddfed58d238ca3195e49d8ac3d4cea6386e5c33",
    "Doppler: liquidity that never migrates"
  )
} as const satisfies Readonly<Record<string, RegistryRow>>

export const CLANKER_V4_LOCKER_ROWS: ReadonlyArray<RegistryRow> = [
  clanker("0x63d2dfea64b3433f4071a98665bcd7ca14d93496", "Clanker v4 locker"),
  clanker("0x29d17c1a8d851d7d4ca97fae97acadb398d9cce0", "Clanker v4 locker, deprecated")
]

/** Its pools have the shape of Clanker's. Another contract, which a launch may have named or changed, says what it keeps of a swap. */
export const DOPPLER_INITIALIZER_ROW = doppler(
  "0xbdf938149ac6a781f94faa0ed45e6a0e984c6544",
  "Doppler's current initializer, its pools' hook too"
)

export const DOPPLER_INITIALIZER_ROWS: ReadonlyArray<RegistryRow> = [
  doppler("0xd59ce43e53d69f190e15d9822fb4540dccc91178", "Doppler initializer"),
  doppler("0xa36715da46ddf4a769f3290f49af58bf8132ed8e", "Doppler initializer"),
  doppler("0x65de470da664a5be139a5d812be5fda0d76cc951", "Doppler initializer"),
  DOPPLER_INITIALIZER_ROW
]

/** Hooks whose code its launchpad publishes; liquidity in their pools cannot be taken out. */
export const HOOK_ROWS = {
  /** Pools of Clanker v4 and v5 have the dynamic fee and spacing 200. */
  clanker: [
    clanker("0xdd5eeaff7bd481ad55db083062b13a3cdf0a68cc", "Clanker v4, fixed fee"),
    clanker("0xb429d62f8f3bffb98cdb9569533ea23bf0ba28cc", "Clanker v4, fixed fee, second version"),
    clanker("0x34a45c6b61876d739400bd71228cbcbd4f53e8cc", "Clanker v4, moving fee"),
    clanker("0xd60d6b218116cfd801e28f78d011a203d2b068cc", "Clanker v4, moving fee, second version"),
    clanker("0x5e320ea6278107968c119942e57d876c5f922acc", "Clanker v5")
  ],
  zora: [
    "0xfbce3d80c659c765bc6c55e29e87d839c7609040",
    "0x854f820475b229b7805a386f758cfb285023d040",
    "0x9301690be9ac901de52c5ebff883862bbfc99040",
    "0x5e5d19d22c85a4aef7c1fdf25fb22a5a38f71040",
    "0xd61a675f8a0c67a73dc3b54fb7318b4d91409040",
    "0x8218fa8d7922e22aed3556a09d5a715f16ad5040",
    "0x1258e5f3c71ca9dce95ce734ba5759532e46d040",
    "0xa1ebdd5ca6470bbd67114331387f2dda7bfad040",
    "0xb030fd8c2f8576f8ab05cfbbe659285e7d7a1040",
    "0xe61bdf0c9e665f02df20fede6dcef379cb751040",
    "0x81542dc43aff247eff4a0ecefc286a2973ae1040",
    "0x5bf219b3cc11e3f6dd8dc8fc89d7d1deb0431040",
    "0x9ea932730a7787000042e34390b8e435dd839040",
    "0xff74be9d3596ea7a33bb4983dd7906fb34135040",
    "0x2b15a16b3ef024005ba899bb51764fcd58cf9040",
    "0xc8d077444625eb300a427a6dfb2b1dbf9b159040",
    "0xf6d0a13609bb5779bc5d639f2ba3bfda83d4d0c0"
  ].map((text) => allowlist(`0x${text.slice(2)}`, "Zora coins")),
  doppler: [
    allowlist("0x77bb2a8f1ab2a384918a4c090cd8ae82dc5078e0", "Doppler"),
    allowlist("0xbb7784a4d481184283ed89619a3e3ed143e1adc0", "Doppler"),
    DOPPLER_INITIALIZER_ROW
  ],
  /** Each version of Flaunch's PositionManager is its pools' hook. */
  flaunch: [
    flaunch("0x51bba15255406cfe7099a42183302640ba7dafdc", "Flaunch"),
    flaunch("0xf785bb58059fab6fb19bdda2cb9078d9e546efdc", "Flaunch, second version"),
    flaunch("0xb903b0ab7bcee8f5e4d8c9b10a71aac7135d6fdc", "Flaunch, third version"),
    flaunch("0x23321f11a6d44fd1ab790044fdfde5758c902fdc", "Flaunch, fourth version")
  ]
} as const

/** Ether in another dress; worth ether only while it can be taken out. */
export const FLETH_ROW = flaunch(
  "0x000000000d564d5be76f7f0d28fe52605afc7cf8",
  "flETH, the quote of Flaunch's pools"
)
