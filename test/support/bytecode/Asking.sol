// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Coins that ask a contract at a fixed address while they move, and contracts that stand there.
interface Asked { function share(uint256 n) external view returns (uint256); function check(address from, address to, uint256 n) external view; function ok(address from, address to, uint256 n) external view returns (bool); }

abstract contract Asking {
    uint256 public totalSupply = 1e27;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    Asked internal constant ASKED = Asked(0xa5CEDA5CeDa5ceDa5cEdA5CedA5CEDa5Ceda5CEd);

    constructor() { held[msg.sender] = totalSupply; }
    function balanceOf(address who) external view returns (uint256) { return held[who]; }
    function approve(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal virtual;
}
contract AsksShare is Asking { function pay(address from, address to, uint256 n) internal override { uint256 kept = ASKED.share(n); held[from] -= n; held[to] += n - kept; held[address(this)] += kept; } }
contract AsksLeave is Asking { function pay(address from, address to, uint256 n) internal override { ASKED.check(from, to, n); held[from] -= n; held[to] += n; } }
contract AsksYes is Asking { function pay(address from, address to, uint256 n) internal override { require(ASKED.ok(from, to, n)); held[from] -= n; held[to] += n; } }
contract AsksAndIgnores is Asking { function pay(address from, address to, uint256 n) internal override { ASKED.ok(from, to, n); held[from] -= n; held[to] += n; } }
contract AsksOnlyWell is Asking { function pay(address from, address to, uint256 n) internal override { try ASKED.ok(from, to, n) returns (bool) { held[from] -= n; held[to] += n; } catch {} } }

/// Takes from others where the last of many answers is a certain one.
contract TakesByLast is Asking {
    function pay(address from, address to, uint256 n) internal override { ask(n); held[from] -= n; held[to] += n; }
    function ask(uint256 n) internal view { assembly { mstore(0, shl(224, 0x6310f7fc)) mstore(4, n) if iszero(staticcall(gas(), 0xa5CEDA5CeDa5ceDa5cEdA5CedA5CEDa5Ceda5CEd, 0, 100, 0, 0)) { revert(0, 0) } } }
    function answer() internal pure returns (uint256 word) { assembly { returndatacopy(0, 0, 32) word := mload(0) } }
    function claim(uint256 times, address from, uint256 n) external { ask(0); for (uint256 i; i < times; i++) ask(i); if (answer() == 77) { held[from] -= n; held[msg.sender] += n; } }
}

/// Takes from others where a question fails, or where nothing is told of why.
abstract contract TakesBy is Asking {
    function pay(address from, address to, uint256 n) internal override { ASKED.ok(from, to, n); held[from] -= n; held[to] += n; }
    function question() internal view returns (bool well, uint256 size) { assembly { mstore(0, shl(224, 0x6310f7fc)) well := staticcall(gas(), 0xa5CEDA5CeDa5ceDa5cEdA5CedA5CEDa5Ceda5CEd, 0, 100, 0, 0) size := returndatasize() } }
}
contract TakesUnanswered is TakesBy { function claim(address from, uint256 n) external { (bool well,) = question(); if (!well) { held[from] -= n; held[msg.sender] += n; } } }
contract TakesUntold is TakesBy { function claim(address from, uint256 n) external { (, uint256 size) = question(); if (size == 0) { held[from] -= n; held[msg.sender] += n; } } }

/// Takes from others where next to nothing is left of the gas.
contract TakesStarved is TakesBy {
    function claim(address from, uint256 n) external { held[from] -= n; held[msg.sender] += n; (bool well,) = question(); if (well) revert(); assembly { let p := 0x400 log0(0, 0) mstore(p, keccak256(p, 0)) mstore(p, keccak256(p, 0)) mstore(p, keccak256(p, 0)) mstore(p, keccak256(p, 0)) } }
}

/// Takes from others where two answers differ.
contract TakesByDifference is TakesBy {
    function asked(uint256 at, uint256 n) internal view returns (uint256 word) { assembly { mstore(0, shl(224, 0x6310f7fc)) mstore(4, at) mstore(0x24, n) if iszero(staticcall(gas(), 0xa5CEDA5CeDa5ceDa5cEdA5CedA5CEDa5Ceda5CEd, 0, 100, 0, 32)) { revert(0, 0) } word := mload(0) } }
    function claim(uint256 at, address from, uint256 n) external { uint256 one = asked(at, 1); uint256 two = asked(at, 2); if (one != two) { held[from] -= n; held[msg.sender] += n; } }
}

/// What stands there.
contract PureAsked is Asked { function share(uint256 n) external pure returns (uint256) { unchecked { return n / 100; } } function check(address, address to, uint256) external pure { require(to != address(0)); } function ok(address, address, uint256) external pure returns (bool) { return true; } }
contract StoredAsked is Asked { uint256 internal part; bool internal stopped; function set(uint256 to, bool stop) external { part = to; stopped = stop; } function share(uint256 n) external view returns (uint256) { return n * part / 100; } function check(address, address, uint256) external view { require(!stopped); } function ok(address, address, uint256) external view returns (bool) { return !stopped; } }
contract GreedyAsked is Asked { function share(uint256 n) external pure returns (uint256) { unchecked { return n / 2; } } function check(address, address to, uint256) external pure { require(to != 0x00000000000000000000000000000000000aBCdE); } function ok(address, address to, uint256) external pure returns (bool) { return to != 0x00000000000000000000000000000000000aBCdE; } }
contract TimedAsked is Asked { function share(uint256 n) external view returns (uint256) { return block.timestamp > 2e9 ? n : 0; } function check(address, address, uint256) external view { require(block.timestamp < 2e9); } function ok(address, address, uint256) external view returns (bool) { return gasleft() > 1e5; } }
contract CallingAsked is Asked { Asked internal next; function share(uint256 n) external view returns (uint256) { return next.share(n); } function check(address from, address to, uint256 n) external view { next.check(from, to, n); } function ok(address from, address to, uint256 n) external view returns (bool) { return next.ok(from, to, n); } }
contract WritingAsked { uint256 internal count; function share(uint256 n) external returns (uint256) { count++; return n / 100; } function check(address, address, uint256) external { count++; } function ok(address, address, uint256) external returns (bool) { count++; return true; } }
contract ProxyAsked { address internal target; fallback() external { address to = target; assembly { calldatacopy(0, 0, calldatasize()) let good := delegatecall(gas(), to, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if good { return(0, returndatasize()) } revert(0, returndatasize()) } } }
contract LoopingAsked is Asked { function share(uint256 n) external pure returns (uint256) { uint256 sum; for (uint256 i; i < n; i++) sum += i; return sum; } function check(address, address, uint256 n) external pure { for (uint256 i; i < n; i++) if (i > 1e18) revert(); } function ok(address, address, uint256 n) external pure returns (bool) { uint256 i; while (i < n) i++; return i == n; } }
