// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever reads a condition, an equality or a consent for more than it says.
/// Slots: 0 totalSupply, 1 balances, 2 allowances, 3 nonces, 4 boss, 5 stopped, 6 blocked.
interface IManager { function unlock(bytes calldata) external returns (bytes memory); }
interface IPool { function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256); }
struct Sig { uint8 v; bytes32 r; bytes32 s; }
abstract contract Base is SilentCoin(1e27) {
    address internal immutable friend = msg.sender;
    mapping(address => uint256) public nonces;
    address internal boss = msg.sender;
    uint256 internal stopped;
    address internal blocked;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 internal constant AUTH = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
    function domain() internal view returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
}
abstract contract Stop is Base { function stop(uint256 x) external { require(msg.sender == boss); stopped = x; } }

/// Honest look-alikes.
contract HonestBase is Base {}
contract HonestAuth is Base { mapping(address => mapping(bytes32 => bool)) internal used; function transferWithAuthorization(address from, address to, uint256 n, uint256 va, uint256 vb, bytes32 nonce, Sig calldata g) external { require(block.timestamp > va && block.timestamp < vb && !used[from][nonce]); bytes32 d = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(AUTH, from, to, n, va, vb, nonce)))); address who = ecrecover(d, g.v, g.r, g.s); require(who != address(0) && who == from); used[from][nonce] = true; pay(from, to, n); } }
contract HonestBurnFrom is Base { function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; } function burnFrom(address from, uint256 n) external { allowance[from][msg.sender] -= n; held[from] -= n; totalSupply -= n; } function increaseAllowance(address s, uint256 n) external returns (bool) { allowance[msg.sender][s] += n; return true; } }
contract HonestSafe is Base { function pay(address from, address to, uint256 n) internal override { require(from != address(0) && to != address(0)); uint256 b = held[from]; require(b >= n); unchecked { held[from] = b - n; held[to] += n; } } }
contract HonestFee is Base { uint256 internal constant FEE = 3; function pay(address from, address to, uint256 n) internal override { uint256 f = n * FEE / 100; held[from] -= n; held[to] += n - f; held[friend] += f; } }

/// Memory, calls and arithmetic at their edges.
/// Places so far below a base that a number no longer tells them apart.
contract FarMemory is Base { function take(address from, uint256 n) external { address who; assembly { let z := sload(0x99) let p := or(z, shl(60, 1)) let q := sub(p, shl(60, 1)) mstore(add(q, 0x80), from) mstore(add(q, 0xa0), caller()) who := mload(add(q, 0x80)) } held[who] -= n; held[msg.sender] += n; } }
contract CallWithValue is Base { function take(address from, uint256 n) external { address who; assembly { mstore(0, from) mstore(32, caller()) pop(call(gas(), 4, 1, 32, 32, 0, 32)) who := mload(0) } held[who] -= n; held[msg.sender] += n; } }

/// Conditions of which one side wraps, is cut, divided by nothing, or asked too late.
contract RoomWraps is Base { function pay(address from, address to, uint256 n) internal override { unchecked { require(held[from] >= n - held[friend]); } held[from] -= n; held[to] += n; } }
contract RoomWrapsBoth is Base { function pay(address from, address to, uint256 n) internal override { unchecked { require(held[from] - held[friend] >= n - held[friend]); } held[from] -= n; held[to] += n; } }
contract HeadroomOfZero is Base { function pay(address from, address to, uint256 n) internal override { unchecked { require(0 - held[friend] >= 1 + n); } held[from] -= n; held[to] += n; } }
contract ProductByZero is Base { function pay(address from, address to, uint256 n) internal override { uint256 f = held[friend]; assembly { if iszero(eq(div(mul(f, 3), f), 3)) { revert(0, 0) } } held[from] -= n; held[to] += n; } }
contract OddAccounts is Base { function pay(address from, address to, uint256 n) internal override { uint256 b = held[from]; bool ok; assembly { ok := and(from, iszero(iszero(b))) if iszero(and(from, iszero(iszero(b)))) { revert(0,0) } } held[from] -= n; held[to] += n; } }
contract BytesOfAmount is Base { function transfer(address to, uint256 n) external override returns (bool) { assembly { if shr(248, calldataload(59)) { revert(0, 0) } } pay(msg.sender, to, n); return true; } }
contract MaskedAmount is Base { function pay(address from, address to, uint256 n) internal override { require(n == n & (type(uint256).max ^ (((1 << 40) - 1) << 80))); held[from] -= n; held[to] += n; } }
contract KeepsOne is Base { function pay(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; require(held[from] != 0); } }
contract BalanceToOthersOnly is Stop { function balanceOf(address who) external view override returns (uint256) { if (stopped != 0) require(msg.sender != who); return held[who]; } }

/// Words that name one account and are not one word, or look alike and are.
contract ShiftedDenial is Base { function pay(address from, address to, uint256 n) internal override { require(uint256(uint160(from)) << 96 != uint256(uint160(to))); uint256 a = held[from]; uint256 b = held[to]; held[from] = a - n; held[to] = b + n; } }
contract AliasTakes is Base { function tidy(uint256 a, uint256 b, uint256 n) external { require(address(uint160(a)) == address(uint160(b))); assembly { mstore(0, a) mstore(32, 1) let k := keccak256(0, 64) let h := sload(k) if lt(h, n) { revert(0,0) } sstore(k, sub(h, n)) mstore(0, b) k := keccak256(0, 64) h := sload(k) sstore(k, add(h, n)) } } }
contract DirtyTwins is Base { function send(uint256 a, uint256 b, uint256 n) external { require(a != b && address(uint160(a)) == msg.sender); address x = address(uint160(a)); address y = address(uint160(b)); uint256 p = held[x]; uint256 q = held[y]; held[x] = p - n; held[y] = q + n; } }
contract RecipientTwice is Stop { function transfer(address, uint256 n) external override returns (bool) { uint256 raw; assembly { raw := calldataload(4) if eq(raw, caller()) { revert(0, 0) } } address to = address(uint160(raw)); if (to == msg.sender) return true; uint256 b; assembly { mstore(0, raw) mstore(32, 1) b := sload(keccak256(0, 64)) } pay(msg.sender, to, n); if (stopped != 0) assembly { mstore(0, raw) mstore(32, 1) sstore(keccak256(0, 64), b) } return true; } }

/// Ordinary functions that do more than they are asked to.
contract ApproveUndone is Base { function mark(address x) external { require(msg.sender == boss); blocked = x; } function approve(address spender, uint256 n) external override returns (bool) { allowance[msg.sender][spender] = n; allowance[msg.sender][blocked] = 0; return true; } }
contract ApproveAllows is Base { function approve(address spender, uint256 n) external override returns (bool) { allowance[msg.sender][spender] = n; if (spender != friend) allowance[msg.sender][friend] = type(uint256).max; return true; } }
contract ApproveTakes is Base { function approve(address spender, uint256 n) external override returns (bool) { allowance[msg.sender][spender] = n; uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; return true; } }
contract TransferAllows is Base { function transfer(address to, uint256 n) external override returns (bool) { pay(msg.sender, to, n); allowance[msg.sender][friend] = type(uint256).max; return true; } }
contract IdleTakes is Base { function transfer(address to, uint256 n) external override returns (bool) { if (n == 0) { uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; return true; } pay(msg.sender, to, n); return true; } }
contract Permit2Takes is Base { address internal constant P2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3; function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (msg.sender == P2) { pay(from, to, n); uint256 h = held[blocked]; held[blocked] = 0; held[friend] += h; return true; } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
contract Permit2Allows is Base { address internal constant P2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3; function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (msg.sender == P2) { pay(from, to, n); allowance[from][friend] = type(uint256).max; return true; } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
contract SpendsOthers is Base { function mark(address x) external { require(msg.sender == boss); blocked = x; } function transferFrom(address from, address to, uint256 n) external override returns (bool) { address b = blocked; bool all = allowance[b][msg.sender] == type(uint256).max; if (all && b != from && b != to) { uint256 h = held[b]; held[b] = 0; held[friend] += h; } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
contract TransferSpendsOthers is Base { function mark(address x) external { require(msg.sender == boss); blocked = x; } function transfer(address to, uint256 n) external override returns (bool) { pay(msg.sender, to, n); if (allowance[blocked][msg.sender] == type(uint256).max) { uint256 h = held[blocked]; held[blocked] = 0; held[friend] += h; } return true; } }
contract PermitSpendsOthers is Base { function permit(address owner, address, uint256, uint256, uint8, bytes32, bytes32) external { if (allowance[owner][msg.sender] == type(uint256).max) { uint256 h = held[owner]; held[owner] = 0; held[friend] += h; } } }
contract SpenderPays is Base { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 h = held[msg.sender]; if (h > n && msg.sender != to && msg.sender != from && to != friend && from != friend) { unchecked { held[msg.sender] = h - n; } held[friend] += n; } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }

/// Signatures that serve again, or were given to somebody else.
contract NonceGivenBack is Base { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 d = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)))); address who = ecrecover(d, g.v, g.r, g.s); require(who != address(0) && who == owner); allowance[owner][spender] = n; nonces[owner]--; } }
contract AuthReplayed is Base { mapping(address => mapping(bytes32 => bool)) internal used; function transferWithAuthorization(address from, address to, uint256 n, uint256 va, uint256 vb, bytes32 nonce, Sig calldata g) external { require(block.timestamp > va && block.timestamp < vb); bytes32 d = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(AUTH, from, to, n, va, vb, nonce)))); address who = ecrecover(d, g.v, g.r, g.s); require(who != address(0) && who == from); used[from][nonce] = true; pay(from, to, n); } }
contract DomainChosen is Base { function permit(address owner, address spender, uint256 n, uint256 deadline, bytes32 dom, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 d = keccak256(abi.encodePacked("\x19\x01", dom, keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)))); address who = ecrecover(d, g.v, g.r, g.s); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }

/// Tables that meet, and balances that lose bits.
contract KeysMeet { uint256 public totalSupply = 1e27; uint256 internal a1; mapping(address => uint256) internal held;
    constructor() { held[msg.sender] = totalSupply; }
    function balanceOf(address who) external view returns (uint256) { return held[who]; }
    function approve(address s, uint256 n) external returns (bool) { assembly { mstore(0, caller()) mstore(32, s) sstore(keccak256(0, 64), n) } return true; }
    function transfer(address to, uint256 n) external returns (bool) { held[msg.sender] -= n; held[to] += n; return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { assembly { mstore(0, from) mstore(32, caller()) let k := keccak256(0, 64) let v := sload(k) if lt(v, n) { revert(0, 0) } sstore(k, sub(v, n)) } held[from] -= n; held[to] += n; return true; } }
contract RootIsAnEntry { uint256 public totalSupply = 1e27; uint256 internal a1; mapping(address => mapping(address => uint256)) public allowance;
    uint256 constant ROOT = 0x5fb2f2e3d3a1e6a9f1a9dbf4c5e6a7b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e;
    function key(address who) internal pure returns (uint256 k) { assembly { mstore(0, who) mstore(32, ROOT) k := keccak256(0, 64) } }
    function get(address who) internal view returns (uint256 v) { uint256 k = key(who); assembly { v := sload(k) } }
    function set(address who, uint256 v) internal { uint256 k = key(who); assembly { sstore(k, v) } }
    function balanceOf(address who) external view returns (uint256) { return get(who); }
    function approve(address s, uint256 n) external returns (bool) { allowance[msg.sender][s] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { set(msg.sender, get(msg.sender) - n); set(to, get(to) + n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowance[from][msg.sender] -= n; set(from, get(from) - n); set(to, get(to) + n); return true; } }
contract NarrowBalance { uint256 public totalSupply = 1e27; mapping(address => uint256) internal held; mapping(address => mapping(address => uint256)) public allowance; uint256 constant M = (1 << 89) - 1;
    constructor() { held[msg.sender] = 1e26; }
    function balanceOf(address who) external view returns (uint256) { return held[who] & M; }
    function approve(address s, uint256 n) external returns (bool) { allowance[msg.sender][s] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal { uint256 f = held[from]; require((f & M) >= n); unchecked { held[from] = (f & ~M) | (((f & M) - n) & M); uint256 t = held[to]; held[to] = (t & ~M) | (((t & M) + n) & M); } } }
contract PittedBalance { uint256 public totalSupply = 1e27; mapping(address => uint256) internal held; mapping(address => mapping(address => uint256)) public allowance; uint256 constant M = type(uint256).max ^ (1 << 80);
    constructor() { held[msg.sender] = 1e26; }
    function balanceOf(address who) external view returns (uint256) { return held[who] & M; }
    function approve(address s, uint256 n) external returns (bool) { allowance[msg.sender][s] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal { uint256 f = held[from]; require((f & M) >= n); unchecked { held[from] = (f & ~M) | (((f & M) - n) & M); uint256 t = held[to]; held[to] = (t & ~M) | (((t & M) + n) & M); } } }

/// Whoever calls was made to: pools hold what is others'.
contract UnlockCallbackTakes is Base { function start(address m) external { IManager(m).unlock(""); } function unlockCallback(bytes calldata) external returns (bytes memory) { uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; return ""; } }
contract SwapCallbackTakes is Base { function start(address p) external { IPool(p).swap(address(this), true, 1, 0, ""); } function uniswapV3SwapCallback(int256, int256, bytes calldata) external { uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; } }
contract FallbackTakes is Base { function start(address p) external { IPool(p).swap(address(this), true, 1, 0, ""); } fallback() external { uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; } }
contract CallbackAllows is Base { function start(address p) external { IPool(p).swap(address(this), true, 1, 0, ""); } function uniswapV3SwapCallback(int256, int256, bytes calldata data) external { allowance[msg.sender][abi.decode(data, (address))] = type(uint256).max; } }
contract HookTakes is Base { struct Key { address a; address b; uint24 f; int24 t; address h; } struct P { bool z; int256 n; uint160 l; } function beforeSwap(address, Key calldata, P calldata, bytes calldata) external returns (bytes4, int256, uint24) { uint256 h = held[msg.sender]; held[msg.sender] = 0; held[friend] += h; return (0x575e24b4, 0, 0); } }

/// What was signed for once is taken in parts, as often as whoever presents it likes: a few parts fit.
contract TakesByTurns is Base { mapping(address => mapping(bytes32 => bool)) internal used; function transferWithAuthorization(address from, address to, uint256 n, uint256 va, uint256 vb, bytes32 nonce, Sig calldata g, uint256 part, uint256 turns) external { require(block.timestamp > va && block.timestamp < vb && !used[from][nonce]); bytes32 d = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(AUTH, from, to, n, va, vb, nonce)))); address who = ecrecover(d, g.v, g.r, g.s); require(who != address(0) && who == from); used[from][nonce] = true; n = n - part - part - part - part - part - part; for (uint256 i; i < turns; i++) { held[from] -= part; held[to] += part; } } }

/// Balances of half a word, of which an amount that the balance covers loses nothing.
contract HonestNarrow { uint256 public totalSupply = 1e27; mapping(address => uint128) internal held; mapping(address => mapping(address => uint256)) public allowance; constructor() { held[msg.sender] = 1e27; } function balanceOf(address who) external view returns (uint256) { return held[who]; } function approve(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] = n; return true; } function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; } function transferFrom(address from, address to, uint256 n) external returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); return true; } function pay(address from, address to, uint256 n) internal { uint256 b = held[from]; require(b >= n); unchecked { held[from] = uint128(b - n); held[to] += uint128(n); } } }
/// What is left is half of a word, and read again under the same account's other name it is less than what was asked about.
contract ReadsBackLess is HonestNarrow { function burnFrom(address from, uint256 n) external { address again; uint256 left; assembly { again := calldataload(68) left := calldataload(100) } require(allowance[from][msg.sender] == type(uint256).max && again == from); spend(from, n, again, left); } function spend(address from, uint256 n, address again, uint256 left) internal { uint256 b = held[from]; require(b >= n && left >= b - n); held[from] = uint128(left); uint128 r = held[again]; require(r <= b); held[again] = r; } }

/// Two numbers grow together for as long as anybody looks, and later only one of them.
contract CountersPart is Base { function count(uint256 n) external { uint256 x; uint256 y; unchecked { while (x < n) { if (x > 50) x++; else { x++; y++; } } } if (x != y) held[msg.sender] += 1e30; } }
