/** Tokens an expert would buy, or at worst watch. */
import type { Scenario } from "../scenarios.ts"
import { beside } from "./beside.ts"
import { plain } from "./plain.ts"
import { issued } from "./issued.ts"
import { curves } from "./curves.ts"
import { pools } from "./pools.ts"
import { usual } from "./usual.ts"

export const honest: Readonly<Record<string, Scenario>> = {
  ...plain,
  ...issued,
  ...curves,
  ...pools,
  ...beside,
  ...usual
}
