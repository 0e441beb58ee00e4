import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LinkedList, type ListNode } from "../../src/domain/linked-list.ts"

const valuesIn = (list: LinkedList<number>): ReadonlyArray<number> => {
  const values: Array<number> = []
  for (let node = list.first(); node !== undefined; node = node.after) values.push(node.value)
  return values
}

describe("a linked list", () => {
  it("holds what was added and not removed, in the order of adding, in whatever order it is removed", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant("add" as const), fc.nat(20))), (moves) => {
        const list = new LinkedList<number>()
        const nodes: Array<ListNode<number>> = []
        let expected: ReadonlyArray<number> = []
        for (const move of moves) {
          if (move === "add") {
            expected = [...expected, nodes.length]
            nodes.push(list.add(nodes.length))
          } else {
            const node = nodes[move % Math.max(1, nodes.length)]
            if (node === undefined) continue
            expect(list.remove(node)).toBe(expected.includes(node.value))
            expected = expected.filter((value) => value !== node.value)
          }
          expect(valuesIn(list)).toEqual(expected)
        }
      })
    )
  })

  it("keeps nothing at the node of a value that was removed", () => {
    const list = new LinkedList<number>()
    const [, middle] = [list.add(1), list.add(2), list.add(3)]
    list.remove(middle)
    expect([middle.before, middle.after]).toEqual([undefined, undefined])
  })
})
