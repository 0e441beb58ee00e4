/** Chance that a seed repeats. Source of the generator: mulberry32, public domain. */
export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Whether something of this probability happens. */
  hits(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<A>(items: readonly [A, ...ReadonlyArray<A>]): A {
    return items[this.between(0, items.length - 1)] ?? items[0]
  }

  /** Lower-case hex of this many bytes. */
  hex(bytes: number): `0x${string}` {
    return `0x${Array.from({ length: bytes }, () => this.between(0, 255).toString(16).padStart(2, "0")).join("")}`
  }
}
