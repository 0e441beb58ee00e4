/** A body is begun with this much room; whenever it is full, twice as much takes its place. */
const FIRST_BYTES = 1_024

/**
 * The bytes of a body as they come, in one piece of memory. Kept as they arrive, chunks of one byte would take a hundred
 * times what they hold, and each would keep all that was read from its connection with it.
 * @param most bytes that will ever be added
 */
export const makeBodyBytes = (most: number) => {
  let room = Buffer.alloc(0)
  let size = 0

  const add = (chunk: Buffer): void => {
    const needed = size + chunk.length
    if (needed > room.length) {
      const larger = Buffer.alloc(Math.min(most, Math.max(needed, 2 * room.length, FIRST_BYTES)))
      room.copy(larger, 0, 0, size)
      room = larger
    }
    chunk.copy(room, size)
    size = needed
  }

  const clear = (): void => {
    room = Buffer.alloc(0)
    size = 0
  }

  return { add, clear, text: (): string => room.toString("utf8", 0, size) }
}
