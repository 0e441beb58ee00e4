/**
 * What the proof says nobody can take is attacked in an EVM. The same in full, on contracts made by chance:
 * `npm run test:fuzz`.
 */
import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { Dice } from "../simulation/dice.ts"
import { compiled } from "../support/bytecode/artifacts.ts"
import { attack } from "../support/evm/attack.ts"
import { methodsAmong, tryCode } from "../support/evm/fuzz.ts"
import { keptContracts, methodsOf } from "../support/evm/kept.ts"
import { mutated } from "../support/evm/mutate.ts"

const SEED = 20_261_128
const MUTANTS = 2
const LIVES = 15
const kept = keptContracts().filter(({ name }) => /^(?:Traps|Loose)\.sol .* optimized$/.test(name))

describe("attacks by chance", () => {
  it.each([
    ["mints by numbers that part in a loop", "Loose.sol", "CountersPart"],
    ["mints by whoever is the owner", "Traps.sol", "OwnerMints"],
    ["mints behind a signature that anybody has", "Traps.sol", "OldSignature"],
    ["allows at a sale", "Traps.sol", "AllowOnSale"],
    ["writes wherever it is told", "Traps.sol", "LastWord"],
    ["stops the second sale", "Traps.sol", "Once"],
    ["answers another balance than there is", "Quiet.sol", "DeafBalance"]
  ])("find what %s", (_, source, name) => {
    const code = compiled(source, source.toLowerCase().replace(".sol", ".json")).codeOf("optimized", name)
    const { ledger } = analyseCode(code).proof
    expect(ledger).not.toBeNull()
    if (ledger === null) return
    const methods = methodsAmong(code, methodsOf(source))
    expect(attack({ code, ledger, methods, state: [] }, SEED, 150)).toBeDefined()
  })

  it.each(kept)(
    "take nothing of $name as it stands, nor changed and still proven",
    ({ code, methods, name }) => {
      const dice = new Dice(SEED + name.length)
      expect(tryCode(dice, code, methods, LIVES)).toEqual({ proven: "always" })
      for (let mutant = 0; mutant < MUTANTS; mutant++)
        expect(tryCode(dice, mutated(dice, code, 2), methods, LIVES)).not.toHaveProperty("broken")
    }
  )
})
