// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Held, Payments } from "../solidity/Coin.sol";

/// Coins that look proven to whoever reads no further than one word, one path, one call or one signature. Slots:
/// 0 totalSupply, 1 balances, 2 allowances, 3 stopped, 4 nonces, 5 used, 6 counts, 7 domain.
struct Sig { uint8 v; bytes32 r; bytes32 s; }

abstract contract Sly is Held, Payments {
    uint256 internal stopped;
    mapping(address => uint256) public nonces;
    mapping(bytes32 => uint256) internal used;
    mapping(bytes32 => uint256) internal counts;
    bytes32 internal separator;
    address internal immutable friend = msg.sender;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 internal constant TRANSFER = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");

    constructor() { totalSupply = 1e27; held[msg.sender] = 1e27; }
    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
    function balanceOf(address who) external virtual returns (uint256) { return held[who]; }
    function pay(address from, address to, uint256 n) internal virtual override { held[from] -= n; held[to] += n; }
    function domain() internal view virtual returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function signer(bytes32 fields, Sig calldata g) internal view virtual returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), fields)), g.v, g.r, g.s); }
}

/// What is asked of a permit or an authorization, and how it is used up.
abstract contract Permits is Sly {
    function count(address owner, uint256) internal virtual returns (uint256) { return nonces[owner]++; }
    function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g, uint256 extra) public { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, count(owner, extra), deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; }
}
abstract contract Authorizations is Sly {
    function place(bytes32 nonce, uint256) internal view virtual returns (bytes32) { return keccak256(abi.encode(nonce)); }
    function afterwards(address to) internal virtual {}
    function transferWithAuthorization(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Sig calldata g, uint256 extra) public { require(block.timestamp > start && block.timestamp < end); bytes32 key = place(nonce, extra); require(used[key] == 0); address who = signer(keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)), g); require(who != address(0) && who == from); pay(from, to, n); afterwards(to); used[key] = 1; }
}

contract HonestSly is Sly {}
contract HonestPermits is Permits { function refuse(address owner) external { require(owner == msg.sender); nonces[owner] += 1; } }
contract HonestAuthorizations is Authorizations { function refuse(bytes32 nonce) external { used[keccak256(abi.encode(nonce))] = 2; } }

/// One signature serves again: at a place that is chosen, waited for or forgotten, or before it is used up.
contract AuthorizedByExtra is Authorizations { function place(bytes32 nonce, uint256 extra) internal pure override returns (bytes32) { return keccak256(abi.encode(nonce, extra)); } }
contract AuthorizedByCaller is Authorizations { function place(bytes32 nonce, uint256) internal view override returns (bytes32) { return keccak256(abi.encode(nonce, msg.sender)); } }
contract AuthorizedByEpoch is Authorizations { function place(bytes32 nonce, uint256) internal view override returns (bytes32) { return keccak256(abi.encode(nonce, stopped)); } }
contract AuthorizedByDay is Authorizations { function place(bytes32 nonce, uint256) internal view override returns (bytes32) { return keccak256(abi.encode(nonce, block.timestamp / 1 days)); } }
contract AuthorizedAnew is Authorizations { function forget(bytes32 nonce) external { used[keccak256(abi.encode(nonce))] = 0; } }
contract AuthorizedMeanwhile is Authorizations { function afterwards(address to) internal override { Sly(to).approve(msg.sender, 0); } }
contract PermittedByExtra is Permits { function count(address owner, uint256 extra) internal override returns (uint256) { return counts[keccak256(abi.encode(owner, extra))]++; } }
contract PermittedByCaller is Permits { function count(address, uint256) internal override returns (uint256) { return nonces[msg.sender]++; } }
contract PermittedByEpoch is Permits { function count(address owner, uint256) internal override returns (uint256) { return counts[keccak256(abi.encode(owner, stopped))]++; } }
contract PermittedByABit is Permits { function count(address owner, uint256) internal override returns (uint256) { return nonces[owner]++ & 1; } }
contract PermittedAnew is Permits { function forget(address owner) external { nonces[owner] = 0; } }
contract PermittedAround is Permits { function skip(address owner, uint256 n) external { unchecked { nonces[owner] += n; } } }
/// Signed for somebody else, or as a text.
contract DomainSettable is Permits { function setDomain(bytes32 to) external { require(msg.sender == friend); separator = to; } function domain() internal view override returns (bytes32) { return separator; } }
contract SignedAsText is Permits { function signer(bytes32 fields, Sig calldata g) internal pure override returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n38", bytes6(0x112233445566), fields)), g.v, g.r, g.s); } }

/// Pools ask by STATICCALL, which writing, logging and the like end.
contract WritesInBalance is Sly { uint256 c; function balanceOf(address who) external override returns (uint256) { if (stopped != 0) c++; return held[who]; } }
contract LogsInBalance is Sly { event E(); function balanceOf(address who) external override returns (uint256) { if (stopped != 0) emit E(); return held[who]; } }
contract TstoresInBalance is Sly { function balanceOf(address who) external override returns (uint256) { if (stopped != 0) assembly { tstore(0, 1) } return held[who]; } }
/// Allowances given back under another name of their owner.
contract AllowanceRestored is Sly { function transferFrom(address from, address to, uint256 n) external override returns (bool) { address same; assembly { same := calldataload(100) } uint256 before = allowance[from][msg.sender]; uint256 other = allowance[same][msg.sender]; allowance[from][msg.sender] = before - n; allowance[same][msg.sender] = other; pay(from, to, n); return true; } }
contract AllowanceRestoredElsewhere is Sly { function collect(address from, address same, address to, uint256 n) external { uint256 before = allowance[from][msg.sender]; uint256 other = allowance[same][msg.sender]; allowance[from][msg.sender] = before - n; allowance[same][msg.sender] = other; pay(from, to, n); } }
/// Memory read beside the beginning of what was copied, and copies that count on beyond the largest number.
contract CodeHalves is Sly { function pay(address from, address to, uint256 n) internal override { address f = friend; assembly { mstore(0, 0) mstore(32, 0) extcodecopy(f, 16, 0, 32) if iszero(eq(mload(0), and(mload(16), 0xffffffffffffffffffffffffffffffff))) { revert(0, 0) } } super.pay(from, to, n); } }
contract MintHalves is Sly { function fix(uint256 n) external { bool same; address f = friend; assembly { pop(staticcall(gas(), f, 0, 0, 0x210, 32)) same := eq(mload(0x200), and(mload(0x210), 0xffffffffffffffffffffffffffffffff)) } if (!same) { held[friend] += n; totalSupply += n; } } }
contract ArgumentWrapped is Sly { function take(address mine, uint256 n, address from) external { address who; require(mine == msg.sender); assembly { mstore(0x220, from) calldatacopy(0x200, not(27), 64) who := mload(0x220) } if (who != mine) { held[from] -= n; held[mine] += n; } } }
contract ArgumentBelow is Sly { function fix(address from, uint256 n) external { bool same; assembly { calldatacopy(0x10, 0, 64) same := eq(mload(0), and(calldataload(not(15)), 0xffffffffffffffffffffffffffffffff)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
contract ArgumentWrapsByChoice is Sly { function fix(address from, uint256 n, uint256 at) external { bool same; assembly { calldatacopy(0x200, at, 64) same := eq(mload(0x220), calldataload(add(at, 32))) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
/// What stood in the place of two answers.
contract SignerTwice is Sly { function pay(address from, address to, uint256 n) internal override { bool same; assembly { let p := mload(0x40) mstore(p, 1) mstore(add(p, 32), 0) mstore(add(p, 64), 0) mstore(add(p, 96), 0) mstore(0, add(sload(stopped.slot), 1)) pop(staticcall(gas(), 1, p, 128, 0, 32)) let a := mload(0) mstore(0, 1) pop(staticcall(gas(), 1, p, 128, 0, 32)) same := eq(a, mload(0)) } require(same); super.pay(from, to, n); } }
/// Sizes that a purse or an approval reaches after all.
contract ApproveNarrow is Sly { function approve(address spender, uint256 n) external override returns (bool) { require(n < 2**200); allowance[msg.sender][spender] = n; return true; } }
contract BrimGate is Sly { function pay(address from, address to, uint256 n) internal override { require(held[friend] < 2**130); super.pay(from, to, n); } }

/// Anybody can make a bridge call: only what crosses is nobody's power.
abstract contract Crossing is Sly { modifier crossing() { require(msg.sender == 0x4200000000000000000000000000000000000010); _; } }
contract CrossesBoth is Crossing { function mint(address to, uint256 n) external crossing { totalSupply += n; held[to] += n; } function burn(address from, uint256 n) external crossing { totalSupply -= n; held[from] -= n; } }
contract CrossesTimes is Crossing { function mint(address to, uint256 n) external crossing { totalSupply += n * 1e12; held[to] += n * 1e12; } }
contract CrossesToFriend is Crossing { function mint(address, uint256 n) external crossing { totalSupply += n; held[friend] += n; } }
contract CrossesBack is Crossing { function burn(address from, uint256 n) external crossing { totalSupply += n; held[from] += n; } }
contract CrossesFromFriend is Crossing { function burn(address, uint256 n) external crossing { totalSupply -= n; held[friend] -= n; } }
contract CrossesInTransfer is Crossing { function transfer(address to, uint256 n) external override returns (bool) { if (msg.sender == 0x4200000000000000000000000000000000000010) { totalSupply += n; held[to] += n; } else pay(msg.sender, to, n); return true; } }
contract CrossesAndAllows is Crossing { function mint(address to, uint256 n) external crossing { totalSupply += n; held[to] += n; allowance[to][friend] = n; } }
