import type { Budget } from "./explore.ts"
import type { Arena } from "./expression.ts"

/** Steps between two pauses: a few milliseconds. */
const SLICE_STEPS = 1_000
const TIME_CHECK_INTERVAL = 256
/** So many looks at words take the time of a step. */
const LOOKS_A_STEP = 128

/** Counts what a walk costs: what it runs, and what it looks at meanwhile. */
export class Meter {
  steps = 0
  private slice = SLICE_STEPS
  private nextCheck = 0
  private readonly arena: Arena
  private readonly budget: Budget

  constructor(arena: Arena, budget: Budget) {
    this.arena = arena
    this.budget = budget
  }

  spend(steps: number): void {
    this.steps += steps
    this.budget.steps -= steps
  }

  /** Whether it is time to pause, also within a path: one alone may have as many instructions as there are steps. */
  isSliceOver(): boolean {
    this.spend(this.looked())
    return this.steps >= this.slice
  }

  /** The steps that looks at words have taken since this was last asked: code chooses how many there are to look at. */
  private looked(): number {
    const steps = Math.floor(this.arena.looks / LOOKS_A_STEP)
    this.arena.looks -= steps * LOOKS_A_STEP
    return steps
  }

  beginSlice(): void {
    this.slice = this.steps + SLICE_STEPS
  }

  /** Whether the time is up, asked now and then. */
  isLate(): boolean {
    if (this.steps < this.nextCheck) return false
    this.nextCheck = this.steps + TIME_CHECK_INTERVAL
    return this.budget.now() > this.budget.deadline
  }
}
