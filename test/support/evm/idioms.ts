/** What coins do with balances, as honest ones write it, and with a few words changed. */
import type { Dice } from "../../simulation/dice.ts"

export interface Idiom {
  readonly head: string
  readonly body: string
}

const IDIOMS: readonly [Idiom, ...ReadonlyArray<Idiom>] = [
  {
    head: "airdrop(address[] calldata w, uint256[] calldata l)",
    body: "require(w.length == l.length); for (uint256 i = 0; i < w.length; i++) { pay(msg.sender, w[i], l[i]); }"
  },
  {
    head: "airdrop(address[] calldata w, uint256[] calldata l)",
    body: "uint256 x = 0; for (uint256 i = 0; i < l.length; i++) { x += l[i]; } pay(msg.sender, address(this), x); for (uint256 i = 0; i < w.length; i++) { pay(address(this), w[i], l[i]); }"
  },
  {
    head: "airdrop(address[] calldata w, uint256[] calldata l)",
    body: "uint256[] memory c = l; for (uint256 i = 0; i < c.length; i++) { c[i] = c[i] / 2; } for (uint256 i = 0; i < w.length; i++) { pay(msg.sender, w[i], c[i]); }"
  },
  {
    head: "airdrop(address[] calldata w, uint256[] calldata l)",
    body: "uint256 i = 0; uint256 j = 0; while (i < w.length) { if (l[i] > 1) { pay(msg.sender, w[j], l[i]); j++; } i++; j++; if (i == 50) { j--; } } if (i > j) { notes[msg.sender] = i; }"
  },
  {
    head: "airdrop(address[] calldata w, uint256[] calldata l)",
    body: "uint256 x = got(msg.sender); for (uint256 i = 0; i < w.length; i++) { require(l[i] <= x); x -= l[i]; put(msg.sender, x); put(w[i], got(w[i]) + l[i]); x = got(msg.sender); }"
  },
  {
    head: "disperse(address[] calldata w)",
    body: "for (uint256 i = 0; i < w.length; i++) { if (notes[w[i]] == 0) { notes[w[i]] = 1; pay(msg.sender, w[i], 5); } }"
  },
  {
    head: "batchTransfer(address[] calldata w, uint256 n)",
    body: "uint256 x = n * w.length; require(n == 0 || x / n == w.length); uint256 y = got(msg.sender); require(y >= x); for (uint256 i = 0; i < w.length; i++) { pay(msg.sender, w[i], n); }"
  },
  {
    head: "packed(uint256[] calldata l)",
    body: "for (uint256 i = 0; i < l.length; i++) { address t = address(uint160(l[i])); uint256 v = l[i] >> 160; cells[i] = v; notes[t] += v; pair.x += uint128(v); }"
  },
  {
    head: "burnFrom(address from, uint256 n)",
    body: "uint256 x = may[from][msg.sender]; if (x != type(uint256).max) { require(x >= n); unchecked { may[from][msg.sender] = x - n; } } put(from, got(from) - n); supply -= n;"
  },
  {
    head: "burnFrom(address from, uint256 n)",
    body: "uint256 x = n; for (uint256 i = 0; i < 4; i++) { uint256 y = x / 2; may[from][msg.sender] -= y; put(from, got(from) - y); x -= y; }"
  },
  {
    head: "take(address from, address to, uint256 n, uint256[] calldata l)",
    body: "uint256 x = 0; for (uint256 i = 0; i < l.length; i++) { x += l[i]; } require(x <= n); may[from][msg.sender] -= n; for (uint256 i = 0; i < l.length; i++) { pay(from, to, l[i]); }"
  },
  {
    head: "take(address from, address to, uint256 n, uint256[] calldata l)",
    body: "for (uint256 i = 0; i < l.length; i++) { may[from][msg.sender] -= l[i]; pay(from, to, l[i]); }"
  },
  {
    head: "stake(uint256 n, address to)",
    body: "pay(msg.sender, address(this), n); notes[to] += n; pairs[to].x = uint128(n);"
  },
  {
    head: "unstake(uint256 n, address to)",
    body: "uint256 x = notes[msg.sender]; require(n <= x); unchecked { notes[msg.sender] = x - n; } pay(address(this), to, n);"
  },
  {
    head: "pay(address to, uint256 n)",
    body: "uint256 x = n / 100; uint256 y = n - x; put(msg.sender, got(msg.sender) - n); put(friend, got(friend) + x); put(to, got(to) + y);"
  },
  {
    head: "lock(address to, uint256 n, uint256 m)",
    body: "uint256 x = n - m; require(m <= n); require(got(msg.sender) >= n); pay(msg.sender, to, x); pay(msg.sender, address(this), m); grid[n][m] = x;"
  },
  {
    head: "burn(uint256 n)",
    body: "uint256 x = got(msg.sender); require(x >= n); unchecked { put(msg.sender, x - n); supply -= n; } emit Told(x, n);"
  },
  {
    head: "burn(uint256 n)",
    body: "int256 k = int256(n); require(k >= 0); uint256 x = got(msg.sender); unchecked { int256 r = int256(x) - k; require(r >= 0); put(msg.sender, uint256(r)); }"
  },
  {
    head: "noted(uint256[] calldata l, uint256 n)",
    body: "uint256[] memory c = new uint256[](l.length + 1); uint256 x = 0; for (uint256 i = 0; i < l.length; i++) { c[i + 1] = c[i] + l[i]; x += 1; } cells[n] = c[x]; for (uint256 i = x; i > 0; i--) { notes[msg.sender] += c[i]; }"
  },
  {
    head: "noted(uint256[] calldata l, uint256 n)",
    body: "bytes memory d = abi.encodePacked(l, n); uint256 x = d.length / 32; uint256 y = 0; for (uint256 i = 0; i < d.length; i += 32) { uint256 v; assembly { v := mload(add(add(d, 32), i)) } y += v; x--; } if (x == 1) { put(msg.sender, y); } cells[x] = y;"
  },
  {
    head: "noted(uint256[] calldata l, uint256 n)",
    body: "uint256 x = n; uint256 y = n; for (uint256 i = 0; i < l.length; i++) { x++; y++; if (l[i] == i) { continue; } if (i == 9) { y++; } } if (x < y) { put(msg.sender, x); } cells[x] = y;"
  },
  {
    head: "noted(uint256[] calldata l, uint256 n)",
    body: "uint256[4] memory c; for (uint256 i = 0; i < l.length; i++) { c[i & 3] = l[i]; c[(i + 1) & 3] += n; } if (c[0] < c[1]) { notes[msg.sender] = c[2]; } require(c[3] == 0); pay(msg.sender, address(this), c[3]);"
  }
]

/** Words that a mistake takes for one another. */
const ALIKE: ReadonlyArray<ReadonlyArray<string>> = [
  ["n", "x", "y", "l[i]", "m", "i", "j", "0", "1", "v", "c[i]"],
  ["<", "<=", ">", ">=", "==", "!="],
  ["+", "-", "*", "/", ">>", "&", "|", "<<"],
  ["+=", "-=", "="],
  ["i++", "i += 2", "i--"],
  ["w[i]", "w[j]", "w[0]", "msg.sender", "to", "address(this)", "friend"],
  ["l.length", "w.length", "n", "3", "60", "list.length"],
  ["l[i]", "l[0]", "l[j]", "l[i] / 2", "uint128(l[i])", "uint256(uint96(l[i]))"],
  ["got(msg.sender)", "got(to)", "got(from)", "n"]
]
const WORDS = /(\w+\([\w.]*\)|\w+\[[\w.]+\]|\w+(?:\.\w+)*\+\+|[\w.]+|[-+*/<>=!&|]+|\s+|.)/g

/** A body with words changed; many of them are none the compiler takes. */
export const changed = (dice: Dice, body: string, changes: number): string => {
  const words = body.match(WORDS) ?? []
  for (let done = 0, tries = 0; done < changes && tries < 100; tries++) {
    const at = dice.between(0, words.length - 1)
    const group = ALIKE.find((all) => all.includes(words[at] ?? ""))
    const other = group?.[dice.between(0, group.length - 1)]
    if (other === undefined || other === words[at]) continue
    words[at] = other
    done++
  }
  return words.join("")
}

export const someIdiom = (dice: Dice): Idiom => dice.pick(IDIOMS)
