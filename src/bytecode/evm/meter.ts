import type { Budget } from "./explore.ts"
import type { Arena } from "./expression.ts"

/** Steps between two pauses: a few milliseconds. */
const SLICE_STEPS = 1_000
const TIME_CHECK_INTERVAL = 256
/** Visits of words that are charged as one step. */
const LOOKS_A_STEP = 128

/** Charges a walk to its budget: the instructions it runs, and the words it visits meanwhile. */
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

  /** Whether it is time to pause. Asked within a path too: a single one may use up all steps. */
  isSliceOver(): boolean {
    this.spend(this.looked())
    return this.steps >= this.slice
  }

  /** Steps for the words visited since the last call: the contract's author decides how many there are. */
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
