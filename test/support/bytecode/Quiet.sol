// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever reads only branches and bookings: what harms stands in a shift, a length, an
/// answer, a signature, a constructor. Slots: 0 totalSupply, 1 balances, 2 allowances, 3 friend, 4 stopped, 5 nonces.
struct Sig { uint8 v; bytes32 r; bytes32 s; }

abstract contract Quiet is SilentCoin(1e27) {
    address internal friend = msg.sender;
    uint256 internal stopped;
    mapping(address => uint256) public nonces;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
    function low(address who) internal pure returns (address) { return address(uint160(uint160(who) << 96)); }
    function domain() internal view returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function signer(bytes32 fields, Sig calldata g) internal view returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), fields)), g.v, g.r, g.s); }
}

contract HonestQuiet is Quiet {}
contract HonestPermit is Quiet { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }
contract HonestAuthorization is Quiet { mapping(address => mapping(bytes32 => bool)) used; function transferWithAuthorization(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Sig calldata g) external { require(block.timestamp > start && block.timestamp < end && !used[from][nonce]); used[from][nonce] = true; address who = signer(keccak256(abi.encode(keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"), from, to, n, start, end, nonce)), g); require(who != address(0) && who == from); pay(from, to, n); } }

/// What is shifted out twice is nothing, whoever calls.
contract NobodyCalls is Quiet { function fix(address from, uint256 n) external { if (low(low(msg.sender)) == address(0)) { if (msg.sender == friend) { held[from] -= n; held[friend] += n; } } } }
contract NobodyMints is Quiet { function fix(uint256 n) external { if (low(low(msg.sender)) == address(0)) { if (msg.sender == friend) { held[friend] += n; totalSupply += n; } } } }
contract NobodyReceives is Quiet { function pay(address from, address to, uint256 n) internal override { if (stopped != 0 && from != friend) require(low(low(to)) != address(0)); super.pay(from, to, n); } }
/// Narrower than an address.
contract NarrowRecipient is Quiet { function transferFrom(address from, address to, uint256 n) external override returns (bool) { assembly { let word := calldataload(36) if iszero(eq(word, and(word, 0x7fffffffffffffffffffffffffffffffffffffff))) { revert(0, 0) } } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
contract NarrowShift is Quiet { function transferFrom(address from, address to, uint256 n) external override returns (bool) { assembly { if shr(159, calldataload(4)) { revert(0, 0) } } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
contract NarrowAmount is Quiet { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (stopped != 0) assembly { if shr(96, calldataload(68)) { revert(0, 0) } } allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
/// Means that nobody has unasked.
contract AllowsItself is Quiet { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) require(allowance[msg.sender][msg.sender] >= n); pay(msg.sender, to, n); return true; } }
/// Approvals that ask for what a newcomer does not have.
contract ApprovedBefore is Quiet { function approve(address spender, uint256 n) external override returns (bool) { if (stopped != 0) require(allowance[msg.sender][spender] != 0); allowance[msg.sender][spender] = n; return true; } }
contract ApprovedMore is Quiet { function approve(address spender, uint256 n) external override returns (bool) { if (stopped != 0) require(allowance[msg.sender][spender] >= n); allowance[msg.sender][spender] = n; return true; } }
contract ApprovedAnother is Quiet { function approve(address spender, uint256 n) external override returns (bool) { if (stopped != 0) require(allowance[msg.sender][0x000000000022D473030F116dDEE9F6B43aC78BA3] == 0); allowance[msg.sender][spender] = n; return true; } }
contract ApprovedByBalance is Quiet { function approve(address spender, uint256 n) external override returns (bool) { if (stopped != 0) require(held[msg.sender] >= n); allowance[msg.sender][spender] = n; return true; } }
/// Gas without a branch.
contract MemoryBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { mstore(sload(stopped.slot), 0) } super.pay(from, to, n); } }
contract CopyBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { calldatacopy(0x80, 0, sload(stopped.slot)) } super.pay(from, to, n); } }
contract LogBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { log0(0x80, sload(stopped.slot)) } super.pay(from, to, n); } }
contract HashBomb is Quiet { uint256 mark; function pay(address from, address to, uint256 n) internal override { assembly { sstore(mark.slot, keccak256(0x80, sload(stopped.slot))) } super.pay(from, to, n); } }
contract AnswerBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { returndatacopy(0x80, sload(stopped.slot), 0) } super.pay(from, to, n); } }
contract PowerBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { let at := mload(0x40) mstore(at, 32) mstore(add(at, 32), sload(stopped.slot)) mstore(add(at, 64), 32) pop(staticcall(gas(), 5, at, 192, 0, 32)) } super.pay(from, to, n); } }
contract BirthBomb is Quiet { function pay(address from, address to, uint256 n) internal override { assembly { mstore(0, sload(stopped.slot)) pop(create(0, 0, 32)) } super.pay(from, to, n); } }
/// Balances that cannot be asked for.
contract DeafBalance is Quiet { function balanceOf(address who) external view override returns (uint256) { require(stopped == 0 || who == friend); return held[who]; } }
contract SlowBalance is Quiet { function balanceOf(address who) external view override returns (uint256) { assembly { mstore(sload(stopped.slot), 0) } return held[who]; } }
/// Answers that callers cannot read.
contract AnswersTwo is Quiet { function transferFrom(address from, address to, uint256 n) external override returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); if (stopped != 0) assembly { mstore(0, 2) return(0, 32) } return true; } }
contract AnswersByte is Quiet { function transferFrom(address from, address to, uint256 n) external override returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); if (stopped != 0) assembly { return(0, 1) } return true; } }
/// A new contract's constructor calls back.
contract CallsBackAtBirth is Quiet { function move(address to, uint256 n, bytes memory code) external { uint256 before = held[msg.sender]; require(before >= n && to != msg.sender); assembly { pop(create(0, add(code, 32), mload(code))) } held[msg.sender] = before - n; held[to] += n; } }
/// Signatures that do not say what is done with them.
contract SpenderUnsigned is Quiet { function permit(address owner, address spender, address signed, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, signed, n, nonces[owner]++, deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }
contract AmountUnsigned is Quiet { function permit(address owner, address spender, uint256 signed, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, signed, nonces[owner]++, deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }
contract SignedForEver is Quiet { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, uint256(0), deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }
contract TakesBySignature is Quiet { function settle(address owner, address to, uint256 n, address spender, uint256 signed, uint256 deadline, Sig calldata g) external { address who = signer(keccak256(abi.encode(PERMIT, owner, spender, signed, nonces[owner]++, deadline)), g); require(who != address(0) && who == owner); held[owner] -= n; held[to] += n; } }
contract TakesByPermit is Quiet { function settle(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)), g); require(who != address(0) && who == owner); held[owner] -= n; held[spender] += n; } }
contract SignedMixed is Quiet { function permit(address owner, address spender, uint256 n, uint256 deadline, bytes32 other, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 fields = keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)); address who = signer((fields & bytes32(stopped)) | other, g); require(who != address(0) && who == owner); allowance[owner][spender] = n; } }
contract SignerMixed is Quiet { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)), g); require(who != address(0)); require(address(uint160(who) & uint160(stopped) | uint160(owner)) == owner); allowance[owner][spender] = n; } }
/// A text as long as whoever sets it wants, from memory and from the call; and one whose end nobody looks at.
contract HonestTexts is Quiet { string internal picture; string internal link; function show(string memory text) external { require(msg.sender == friend); picture = text; } function lead(string calldata text) external { require(msg.sender == friend); link = text; } }
contract TextWithoutEnd is Quiet { string internal picture; function show(uint256 end, uint256 word) external { require(msg.sender == friend); assembly { mstore(0, picture.slot) sstore(add(keccak256(0, 32), shr(5, add(end, 31))), word) } } }
contract TextWithLateEnd is Quiet { string internal picture; function show(uint256 end, uint256 word) external { require(msg.sender == friend && end < type(uint256).max >> 8); assembly { mstore(0, picture.slot) sstore(add(keccak256(0, 32), shr(5, add(end, 31))), word) } } }
/// Burned into account zero's own balance, whose place compilers hash beforehand, by one who loses nothing.
contract GivesNobody is Quiet { function give(uint256 n) external { require(msg.sender == friend); held[address(0)] += n; } }
