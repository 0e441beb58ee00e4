import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that match begin first: one that takes long and began last would be waited for alone. */
export const slowestFirst = (slow: RegExp): typeof BaseSequencer =>
  class extends BaseSequencer {
    override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
      // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which makes a new list
      const sorted = await super.sort(files)
      const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
      return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
    }
  }
