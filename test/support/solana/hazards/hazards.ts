/** Tokens an expert would refuse, each by the smallest change to an honest one. */
import { launches } from "./launches.ts"
import { offers } from "./offers.ts"
import { operated } from "./operated.ts"
import { positions } from "./positions.ts"
import { unseen } from "./unseen.ts"
import type { Scenario } from "../scenarios.ts"
import { concealed } from "./concealed.ts"
import { concentration } from "./concentration.ts"
import { dear } from "./dear.ts"
import { deposits } from "./deposits.ts"
import { endings } from "./ended.ts"
import { endless } from "./endless.ts"
import { fees } from "./fees.ts"
import { given } from "./given.ts"
import { halfTold } from "./half-told.ts"
import { hidden } from "./hidden.ts"
import { leftOut } from "./left-out.ts"
import { liquidity } from "./liquidity.ts"
import { makers } from "./makers.ts"
import { quotes } from "./quotes.ts"
import { terms } from "./terms.ts"
import { reputation } from "./reputation.ts"
import { written } from "./written.ts"

export const hazards: Readonly<Record<string, Scenario>> = {
  ...concealed,
  ...concentration,
  ...dear,
  ...deposits,
  ...endings,
  ...endless,
  ...fees,
  ...given,
  ...halfTold,
  ...hidden,
  ...leftOut,
  ...liquidity,
  ...makers,
  ...offers,
  ...operated,
  ...terms,
  ...reputation,
  ...positions,
  ...quotes,
  ...unseen,
  ...launches,
  ...written
}
