/**
 * A process that attacks until it is ended, so that its work is not taken for the service's: `attacker.ts NAME PORT`.
 * Says so to the process that started it when it begins: loading it may take as long as the attack.
 */
import { Effect } from "effect"
import { attack } from "./attacks.ts"

const [name = "", port = ""] = process.argv.slice(2)
process.send?.("attacking")
await Effect.runPromise(attack(name, Number(port)))
