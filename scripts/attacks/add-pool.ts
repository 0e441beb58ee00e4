/** One way of listing for every kind of pool that an attack set names. */
import type { Address } from "viem"
import type { Deposit, V4Terms } from "./concentrated.ts"
import { addPancakeV3, addSlipstream, addV3Nft, addV4 } from "./concentrated.ts"
import type { PoolKind } from "./format.ts"
import type { Stage } from "./stage.ts"
import { addV2, addV3 } from "./stage.ts"

/** Opens a pool against ether or WETH, or adds to it; its contract, the PoolManager in V4. */
export const addPool = (
  stage: Stage,
  kind: PoolKind,
  token: Address,
  deposit: Deposit & { readonly terms?: V4Terms }
): Promise<Address> => {
  const { ether, lp, tokens } = deposit
  switch (kind) {
    case "v2":
      return addV2(stage, token, tokens, { ether }, lp)
    case "v3":
      return addV3(stage, token, tokens, ether)
    case "v3-nft":
      return addV3Nft(stage, token, deposit)
    case "slipstream":
      return addSlipstream(stage, token, deposit)
    case "pancake-v3":
      return addPancakeV3(stage, token, deposit)
    case "v4":
      return addV4(stage, token, deposit)
  }
}
