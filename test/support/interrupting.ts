import { FiberId, Scheduler } from "effect"

/** Interrupts the fiber that runs by it before its nth step, and none that it forks. */
export const interruptingAt = (step: number): Scheduler.Scheduler => {
  const own = new Scheduler.MixedScheduler(2_048)
  let [runs, steps]: [unknown, number] = [undefined, 0]
  return {
    scheduleTask: (task, priority) => own.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      runs ??= fiber
      if (fiber !== runs || ++steps !== step) return false
      fiber.unsafeInterruptAsFork(FiberId.none)
      return 0
    }
  }
}
