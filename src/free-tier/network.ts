/** How many addresses a network counts as. */
export const ADDRESSES_A_NETWORK = 10

/** What limits call an IPv6 caller's address, in its canonical spelling. */
const ADDRESS = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/

/**
 * The network an address belongs to, where one owner may have so many addresses that a limit for each is none: a site on
 * IPv6 is given 65,536 of them. `undefined` on IPv4, where addresses are dear.
 */
export const networkOf = (address: string): string | undefined => {
  const [, prefix] = ADDRESS.exec(address) ?? []
  return prefix === undefined ? undefined : `${prefix}:/48`
}
