/** Token contracts by chance: an honest core, and functions made of what proofs argue about. */
import type { Dice } from "../../simulation/dice.ts"
import { Body } from "./body.ts"
import { changed, someIdiom } from "./idioms.ts"
import type { Texts } from "./terms.ts"

const CHECKED = `mapping(address => uint256) internal held;
  function balanceOf(address a) external view returns (uint256) { return held[a]; }
  function got(address a) internal view returns (uint256) { return held[a]; }
  function put(address a, uint256 v) internal { held[a] = v; }
  function pay(address a, address b, uint256 v) internal { held[a] -= v; held[b] += v; }`
const UNCHECKED = CHECKED.replace(
  "held[a] -= v; held[b] += v;",
  "require(held[a] >= v); unchecked { held[a] -= v; held[b] += v; }"
)
const PACKED = (bits: number, rest: string): string => `struct Purse { uint${bits} coins; ${rest} }
  mapping(address => Purse) internal held;
  function balanceOf(address a) external view returns (uint256) { return held[a].coins; }
  function got(address a) internal view returns (uint256) { return held[a].coins; }
  function put(address a, uint256 v) internal { held[a].coins = uint${bits}(v); }
  function pay(address a, address b, uint256 v) internal {
    uint256 from = held[a].coins; require(v <= from); unchecked { held[a].coins = uint${bits}(from - v); held[b].coins += uint${bits}(v); } }`

const LEDGERS: Texts = [
  CHECKED,
  CHECKED,
  UNCHECKED,
  PACKED(128, "uint64 since; uint64 notes;"),
  PACKED(120, "uint8 notes;"),
  PACKED(112, "uint32 since; uint112 notes;")
]

const STATE = `uint256 internal supply; uint256 internal a; uint256 internal b; address internal owner; address internal friend;
  mapping(address => mapping(address => uint256)) internal may;
  mapping(address => uint256) internal notes; mapping(uint256 => uint256) internal cells;
  uint256[] internal list; address[] internal people;
  struct Pair { uint128 x; uint64 y; uint64 z; } Pair internal pair; mapping(address => Pair) internal pairs;
  mapping(uint256 => mapping(uint256 => uint256)) internal grid; uint128[] internal halves; uint96 internal q; uint8 internal tiny; bool internal on;
  event Told(uint256 x, uint256 y);
  function totalSupply() external view returns (uint256) { return supply; }
  function allowance(address x, address y) external view returns (uint256) { return may[x][y]; }
  function approve(address x, uint256 v) external returns (bool) { may[msg.sender][x] = v; return true; }
  function transferFrom(address x, address y, uint256 v) external returns (bool) { may[x][msg.sender] -= v; pay(x, y, v); return true; }
  function mix(uint256 x, uint256 y) internal pure returns (uint256) { unchecked { return x > y ? x - y : y + 1; } }
  function sum(uint256[] memory l) internal pure returns (uint256 s) { for (uint256 i; i < l.length; i++) s += l[i]; }`

/** Functions by whose names holders mean to give something, or that may take what was allowed; and such of no name. */
const HEADS: readonly [string, ...ReadonlyArray<string>] = [
  "stake(address to, uint256 n)",
  "lock(address to, uint256 n, uint256 m)",
  "withdraw(uint256 n, address to)",
  "burn(uint256 n)",
  "airdrop(address[] calldata w, uint256[] calldata l)",
  "batchTransfer(address[] calldata w, uint256 n)",
  "burnFrom(address from, uint256 n)",
  "one(address to, uint256 n, uint256[] calldata l)",
  "two(address from, uint256 n, uint128[] calldata h)",
  "three(int256 k, uint256 n, address to)",
  "four(uint256[] calldata l, address[] calldata w)",
  "five(uint256 n, uint256 m)",
  "six(address from, address to, uint256 n)"
]

const LOCALS = "uint256 x = 0; uint256 y = 0; uint256 i; uint256 j = 0;"

const transfer = (dice: Dice): string => {
  const body = new Body(dice, "address to, uint256 n")
  const asides = Array.from({ length: dice.hits(0.6) ? 0 : dice.between(1, 2) }, () => body.aside()).join(" ")
  const mem = /\bmem\b/.test(asides) ? "uint256[] memory mem = new uint256[](4);" : ""
  const start = asides === "" ? "" : `${LOCALS} ${mem} ${dice.hits(0.5) ? `unchecked { ${asides} }` : asides}`
  return `function transfer(address to, uint256 n) external returns (bool) { ${start} pay(msg.sender, to, n); return true; }`
}

const idiom = (dice: Dice): string => {
  const { body, head } = someIdiom(dice)
  const text = changed(dice, body, dice.pick([0, 1, 1, 2]))
  return `function ${head} external payable { ${dice.hits(0.6) ? `unchecked { ${text.replaceAll(/unchecked ({[^}]*})/g, "$1")} }` : text} }`
}

const method = (dice: Dice, head: string): string => {
  const body = new Body(dice, head)
  const lines = Array.from({ length: dice.between(1, 4) }, () => body.statement())
  const trap = dice.next()
  if (trap < 0.3) lines.splice(dice.between(0, lines.length), 0, body.trap())
  if (trap > 0.7) lines.splice(0, dice.between(1, lines.length), body.parting())
  const text = lines.join("\n    ")
  const mem = /\bmem\b/.test(text) ? "uint256[] memory mem = new uint256[](4);" : ""
  return `function ${head} external payable {
    ${dice.pick(["", "", "", "require(msg.sender == owner);"])}
    uint256 x = ${body.start()}; uint256 y = ${body.start()}; uint256 i; uint256 j = ${dice.pick(["0", "0", "1", "i", "x"])}; ${mem}
    ${dice.hits(0.6) ? `unchecked {\n    ${text}\n    }` : text}
  }`
}

/** A contract of this name. */
export const contractOf = (dice: Dice, name: string): string => {
  const methods = [
    ...(dice.hits(0.6) ? [idiom(dice)] : []),
    ...(dice.hits(0.6) ? [method(dice, dice.pick(HEADS))] : [])
  ]
  return `contract ${name} {
  ${dice.pick(LEDGERS)}
  ${STATE}
  ${transfer(dice)}
  ${methods.join("\n  ")}
}
`
}
