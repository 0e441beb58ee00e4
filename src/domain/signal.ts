import { Schema } from "effect"

/** Where a piece of evidence was read. */
export const Source = Schema.Literal(
  "base-rpc",
  "simulation",
  "bytecode",
  "solana-rpc",
  "dexscreener",
  "rugcheck"
)
export type Source = typeof Source.Type

export const SignalState = Schema.Literal("pass", "fail", "unknown").annotations({
  identifier: "SignalState",
  description: "unknown: could not be proven either way."
})
export type SignalState = typeof SignalState.Type

/** What one signal concluded. `message` is our own words and numbers, never text from the token. */
export const SignalResult = Schema.Struct({
  id: Schema.String.annotations({ description: "Stable upper-snake code; see the signal table." }),
  state: SignalState,
  points: Schema.Number.annotations({ description: "What this signal adds to the score." }),
  critical: Schema.Boolean.annotations({
    description: "Unknown or failed, it forbids calling the token safe."
  }),
  hard: Schema.Boolean.annotations({ description: "Failed, it makes the verdict avoid." }),
  source: Source.annotations({ description: "Where its evidence was read." }),
  message: Schema.String.annotations({
    description: "Our own words and numbers, never text from the token."
  }),
  group: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description:
      "Signals of one group show one weakness from several sides; only the heaviest of them counts."
  })
}).annotations({ identifier: "SignalResult" })
export type SignalResult = typeof SignalResult.Type

/** What a signal's judge answers about one token's evidence. */
export type Judgement =
  | { readonly state: "pass"; readonly message: string }
  /** `points` overrides the table's points where the weight grows with the finding. */
  | { readonly state: "fail"; readonly message: string; readonly points?: number; readonly hard?: boolean }
  | { readonly state: "unknown"; readonly message: string }

/**
 * One row of the signal table: a pure function of the evidence, with its weight. Signals of one `group` describe the
 * same weakness from different sides; only the heaviest of them counts.
 */
export interface Signal<E> {
  readonly id: string
  readonly source: Source
  /** What it reads, in one line, for the generated table. */
  readonly reads: string
  readonly group?: string
  readonly hard: boolean
  /** May depend on the evidence: an LP lock matters only where one party could remove most of the liquidity. */
  readonly critical: boolean | ((evidence: E) => boolean)
  /** Points added when it fails (0 to 100) and when it is unknown. */
  readonly points: number
  readonly unknownPoints: number
  readonly judge: (evidence: E) => Judgement
}

/** The evidence shows that it is good. */
export const pass = (message: string): Judgement => ({ state: "pass", message })
/** The evidence does not show it: it counts `unknownPoints`, and forbids trust where the signal is critical. */
export const unknown = (message: string): Judgement => ({ state: "unknown", message })
/** The evidence shows that it is bad. `weight` takes the place of the points and the hardness that the table gives. */
export const fail = (message: string, weight?: { points?: number; hard?: boolean }): Judgement => ({
  state: "fail",
  message,
  ...weight
})

/**
 * What a signal weighs: whether it decides by itself, its points where it fails and where it is unknown, and the group
 * it counts in.
 */
type Weight<E> = Pick<Signal<E>, "hard" | "critical" | "points" | "unknownPoints" | "group">

const weighing =
  (hard: boolean, critical: boolean) =>
  (points: number, unknownPoints: number, group?: string): Weight<unknown> => ({
    hard,
    critical,
    points,
    unknownPoints,
    ...(group === undefined ? {} : { group })
  })

/** Failed, the verdict is avoid; unknown, the token is not called safe. */
export const hard = weighing(true, true)
/** Failed or unknown, the token is not called safe. */
export const critical = weighing(false, true)
/** Counts by its points alone. */
export const minor = weighing(false, false)

type Row<E> = Pick<Signal<E>, "reads" | "judge"> & Partial<Pick<Signal<E>, "source" | "critical">>

/** Rows of a signal table; one that reads another source, or is critical only by the evidence, says so. */
export const signalFrom =
  <E>(source: Source) =>
  (id: string, weight: Weight<unknown>, row: Row<E>): Signal<E> => ({ id, source, ...weight, ...row })
