/** A process that attacks until it is ended, so that its work is not taken for the service's: `attacker.ts NAME PORT`. */
import { Effect } from "effect"
import { attack } from "./attacks.ts"

const [name = "", port = ""] = process.argv.slice(2)
await Effect.runPromise(attack(name, Number(port)))
