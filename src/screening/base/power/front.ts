import type { Hex } from "viem"
import { known } from "../../../domain/fact.ts"
import { bytesOfHex, decode } from "../../../bytecode/evm/code.ts"
import { withoutPause } from "../../../bytecode/evm/slices.ts"
import { passesOn } from "../../../bytecode/exact/passing.ts"
import type { CodeEvidence } from "../evidence.ts"
import { UNIDENTIFIED } from "../reads/accounts.ts"
import { nothingProven } from "./proof/prove.ts"
import { decidesCaller } from "./proof/settle.ts"
import { PROXY_SLOTS } from "./proxy-slots.ts"
import type { Proxy } from "./proxy.ts"

/** Proxies are short: a few hundred steps. */
const STEPS = 20_000
const MILLISECONDS = 200

const WHY = "the token's own code does nothing but run the code it names"

/** Whether a contract runs the code that its proxy slot names, and has no function, condition or answer of its own. */
export const isFaithful = (code: Hex, proxy: Proxy, slots: ReadonlyArray<Hex>): boolean => {
  if (proxy.kind !== "upgradeable") return false
  const isStandard = BigInt(slots[0] ?? "0x0") !== 0n
  const now = () => performance.now()
  return withoutPause(
    passesOn(
      decode(bytesOfHex(code)),
      {
        slot: BigInt(isStandard ? PROXY_SLOTS.implementation : PROXY_SLOTS.zos),
        adminSlot: BigInt(PROXY_SLOTS.admin),
        admin: proxy.admin === null ? undefined : BigInt(proxy.admin)
      },
      { steps: STEPS, deadline: now() + MILLISECONDS, now },
      decidesCaller
    )
  )
}

/**
 * What was read of the code behind a proxy holds of the token only where its own code is proven to run nothing else: a
 * slot may name honest code that nobody runs. Diamonds are judged by themselves, minimal proxies by their exact bytes.
 * @param own the token's own code
 * @param slots words of `PROXY_SLOT_LIST`
 */
export const behindFront = (own: Hex, slots: ReadonlyArray<Hex>, code: CodeEvidence): CodeEvidence => {
  const { findings, proxy, upgrader } = code
  if (proxy.kind === "none" || proxy.kind === "minimal" || proxy.kind === "diamond") return code
  if (isFaithful(own, proxy, slots)) return code
  return {
    ...code,
    upgrader: upgrader.kind === "nobody" ? UNIDENTIFIED : upgrader,
    findings: findings.known ? known({ ...findings.value, proof: nothingProven(WHY) }) : findings
  }
}
