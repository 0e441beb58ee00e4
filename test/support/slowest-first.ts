import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that match begin first: one that takes long and began last would be waited for alone. They mostly wait for
 * chains and processes, and so `between` others follow each of them: side by side they would leave the processor idle.
 */
export const slowestFirst = (slow: RegExp, between = 0): typeof BaseSequencer =>
  class extends BaseSequencer {
    override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
      // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which makes a new list
      const sorted = await super.sort(files)
      const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
      const others = sorted.filter((file) => !isSlow(file))
      const mixed = sorted
        .filter(isSlow)
        .flatMap((file, index) => [file, ...others.slice(index * between, (index + 1) * between)])
      return [...new Set([...mixed, ...others])]
    }
  }
