/**
 * Bytes of bodies that have come so far and are not whole yet. One address may have a thousand connections, and a body
 * may take five seconds: without a bound that is 64 MB which one caller makes the service hold, over and over.
 */

/** What the unfinished bodies of one address may hold: sixteen of the largest. */
const PER_ADDRESS_BYTES = 16 * 65_536
/** And what the unfinished bodies of all addresses may hold. */
const TOTAL_BYTES = 16 * PER_ADDRESS_BYTES

/** Whose room is used up: the address's, or that of all. */
export type Full = "address" | "service"

/** What one body holds. */
export interface Holding {
  /** Holds more; where there is no room, nothing is added. */
  readonly hold: (bytes: number) => Full | undefined
  /** Gives back all of it. */
  readonly release: () => void
}

/**
 * Begins to hold for a body of an address.
 * @param isLimited whether an address has a bound of its own (`ADDRESS_LIMITS`)
 */
export const makeBodyRoom = (isLimited: boolean): ((address: string) => Holding) => {
  const held = new Map<string, number>()
  let total = 0

  const add = (address: string, bytes: number): void => {
    const own = (held.get(address) ?? 0) + bytes
    if (own === 0) held.delete(address)
    else held.set(address, own)
    total += bytes
  }

  return (address) => {
    let mine = 0
    return {
      hold: (bytes) => {
        if (isLimited && (held.get(address) ?? 0) + bytes > PER_ADDRESS_BYTES) return "address"
        if (total + bytes > TOTAL_BYTES) return "service"
        add(address, bytes)
        mine += bytes
        return undefined
      },
      release: () => {
        if (mine > 0) add(address, -mine)
        mine = 0
      }
    }
  }
}
