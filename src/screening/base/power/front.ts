import { Effect } from "effect"
import type { Hex } from "viem"
import { known } from "../../../domain/fact.ts"
import type { CodeAnalyser } from "../analysis/analyser.ts"
import type { CodeEvidence } from "../evidence.ts"
import { UNIDENTIFIED } from "../reads/accounts.ts"
import { PROXY_SLOT_LIST } from "./proxy-slots.ts"
import { besideUnread } from "./unread.ts"

const WHY = "the token's own code does nothing but run the code it names"

const UNREAD = "the token's own code may run other code"

const unproven = (code: CodeEvidence): CodeEvidence => {
  const { findings, upgrader } = code
  return {
    ...code,
    upgrader: upgrader.kind === "nobody" ? UNIDENTIFIED : upgrader,
    findings: findings.known ? known(besideUnread(findings.value, UNREAD, WHY)) : findings
  }
}

/**
 * What was read of the code behind a proxy holds of the token only where its own code is proven to run nothing else: a
 * slot may name honest code that nobody runs. Diamonds are judged by themselves, minimal proxies by their exact bytes.
 * @param own the token's own code
 * @param slots words of `PROXY_SLOT_LIST`
 */
export const behindFront = (
  { isFaithful }: Pick<CodeAnalyser["Type"], "isFaithful">,
  own: Hex,
  slots: ReadonlyArray<Hex>,
  code: CodeEvidence
): Effect.Effect<CodeEvidence> => {
  const { kind } = code.proxy
  if (kind === "none" || kind === "minimal" || kind === "diamond") return Effect.succeed(code)
  if (kind === "beacon") return Effect.succeed(unproven(code))
  const words = PROXY_SLOT_LIST.map((slot, index) => ({ slot, value: BigInt(slots[index] ?? "0x0") }))
  return Effect.map(isFaithful(own, words), (faithful) => (faithful ? code : unproven(code)))
}
