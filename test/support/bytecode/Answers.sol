// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever takes an answer for given: memory keeps what stood there where a call fails, answers
/// less than is asked for, or copies nothing. Slots: 0 totalSupply, 1 balances, 2 allowances, 3 friend, 4 nonces.
struct Sig { uint8 v; bytes32 r; bytes32 s; }

abstract contract Answers is SilentCoin(1e27) {
    address internal immutable friend = msg.sender;
    mapping(address => uint256) public nonces;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function domain() internal view returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function digest(address owner, address spender, uint256 n, uint256 deadline) internal returns (bytes32) { return keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(PERMIT, owner, spender, n, nonces[owner]++, deadline)))); }
}

/// Libraries that call precompiled contracts by hand, and copy arguments of any length.
contract HonestSigner is Answers { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 hash = digest(owner, spender, n, deadline); address who; assembly { let p := mload(0x40) mstore(p, hash) mstore(add(p, 32), calldataload(132)) mstore(add(p, 64), calldataload(164)) mstore(add(p, 96), calldataload(196)) mstore(0, 0) pop(staticcall(gas(), 1, p, 128, 0, 32)) who := mload(0) } require(who != address(0) && who == owner && g.v > 0); allowance[owner][spender] = n; } }
contract HonestCopy is Answers { event Said(bytes what); function burn(uint256 n, bytes memory what) external { held[msg.sender] -= n; totalSupply -= n; emit Said(what); } }

/// A bad signature leaves the owner's own name in the place of the answer.
contract SignerStoodThere is Answers { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 hash = digest(owner, spender, n, deadline); address who; assembly { let p := mload(0x40) mstore(p, hash) mstore(add(p, 32), calldataload(132)) mstore(add(p, 64), calldataload(164)) mstore(add(p, 96), calldataload(196)) mstore(0, owner) pop(staticcall(gas(), 1, p, 128, 0, 32)) who := mload(0) } require(who != address(0) && who == owner && g.v > 0); allowance[owner][spender] = n; } }
contract SignerCopied is Answers { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 hash = digest(owner, spender, n, deadline); address who; assembly { let p := mload(0x40) mstore(p, hash) mstore(add(p, 32), calldataload(132)) mstore(add(p, 64), calldataload(164)) mstore(add(p, 96), calldataload(196)) mstore(0, owner) pop(staticcall(gas(), 1, p, 128, 0, 0)) returndatacopy(0, 0, returndatasize()) who := mload(0) } require(who != address(0) && who == owner && g.v > 0); allowance[owner][spender] = n; } }
contract SignerUnasked is Answers { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 hash = digest(owner, spender, n, deadline); address who; assembly { let p := mload(0x40) mstore(p, hash) mstore(add(p, 32), calldataload(132)) mstore(add(p, 64), calldataload(164)) mstore(add(p, 96), calldataload(196)) mstore(0, owner) pop(staticcall(2000, 1, p, 128, 0, 32)) who := mload(0) } require(who != address(0) && who == owner && g.v > 0); allowance[owner][spender] = n; } }
/// The length of an earlier answer says where the signer is looked for.
contract SignerElsewhere is Answers { function permit(address owner, address spender, uint256 n, uint256 deadline, Sig calldata g) external { require(block.timestamp <= deadline); bytes32 hash = digest(owner, spender, n, deadline); address who; assembly { pop(staticcall(gas(), 4, 0, 64, 0, 0)) let size := returndatasize() mstore(64, owner) let p := 0x200 mstore(p, hash) mstore(add(p, 32), calldataload(132)) mstore(add(p, 64), calldataload(164)) mstore(add(p, 96), calldataload(196)) mstore(0, hash) pop(staticcall(gas(), 1, p, 128, 32, 32)) who := mload(size) mstore(64, 0x400) } require(who == owner && g.v > 0); allowance[owner][spender] = n; } }
/// Copies that do not happen, happen in part, or reach further than one word.
contract CopyWithoutGas is Answers { function take(address from, uint256 n) external { address who; assembly { mstore(0, caller()) mstore(32, from) pop(staticcall(0, 4, 0, 32, 32, 32)) who := mload(32) } held[who] -= n; held[msg.sender] += n; } }
contract CopyOfAByte is Answers { function take(address from, uint256 n) external { address who; assembly { mstore(0, caller()) mstore(32, from) pop(staticcall(gas(), 4, 0, 32, 32, 1)) who := mload(32) } held[who] -= n; held[msg.sender] += n; } }
contract CopyOfTwoWords is Answers { function take(address from, uint256 n) external { address who; assembly { let p := 0x200 mstore(p, caller()) mstore(add(p, 32), from) mstore(add(p, 96), caller()) pop(staticcall(gas(), 4, p, 64, add(p, 64), 64)) who := mload(add(p, 96)) } held[who] -= n; held[msg.sender] += n; } }
contract CopyOfNothing is Answers { function take(address from, uint256 n, uint256 size) external { address who; require(from != msg.sender); assembly { let p := 0x200 mstore(p, from) codecopy(p, 0, size) if eq(mload(p), from) { who := from } } if (who != address(0)) { held[who] -= n; held[msg.sender] += n; } } }
contract ArgumentUncopied is Answers { function take(address mine, uint256 n, address from, uint256 size) external { address who; require(mine == msg.sender); assembly { let p := 0x200 mstore(p, from) calldatacopy(p, 4, size) who := mload(p) } held[who] -= n; held[mine] += n; } }
contract ArgumentCutOff is Answers { function take(address mine, uint256 n, address from) external { address who; require(mine == msg.sender); assembly { mstore(0x10220, from) calldatacopy(0x220, sub(4, 0x10000), 0x10000) who := mload(0x10220) } held[who] -= n; held[mine] += n; } }
/// Answers longer than anybody looks.
contract LargeAnswer is Answers { function take(uint256 n) external { address who; address other = friend; assembly { let p := 0x200 mstore(p, caller()) pop(call(gas(), other, 0, 0, 0, p, 8192)) who := mload(p) } held[who] -= n; held[msg.sender] += n; } }
contract AnswerOfAnyLength is Answers { function take(uint256 n, uint256 size) external { address who; address other = friend; assembly { let p := 0x200 mstore(p, caller()) pop(call(gas(), other, 0, 0, 0, p, size)) who := mload(p) } held[who] -= n; held[msg.sender] += n; } }
/// Questions that differ where nobody looks.
contract HashOfMuch is Answers { function take(address from, uint256 n, uint256 a, uint256 b) external { bool same; assembly { let p := 0x200 mstore(add(p, 224), a) pop(staticcall(gas(), 2, p, 256, 0, 32)) mstore(add(p, 224), b) pop(staticcall(gas(), 2, p, 256, 32, 32)) same := eq(mload(0), mload(32)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
contract HashOfAnyLength is Answers { function take(address from, uint256 n, uint256 a, uint256 b) external { bool same; assembly { let p := 0x200 pop(staticcall(gas(), 2, p, a, 0, 32)) pop(staticcall(gas(), 2, p, b, 32, 32)) same := eq(mload(0), mload(32)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
contract HashOfOddLength is Answers { function take(address from, uint256 n) external { bool same; assembly { let p := 0x200 pop(staticcall(gas(), 2, p, 32, 0, 32)) pop(staticcall(gas(), 2, p, 33, 32, 32)) same := eq(mload(0), mload(32)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
contract HashNotTaken is Answers { function take(address from, uint256 n) external { bool same; assembly { let p := 0x200 pop(staticcall(gas(), 2, p, 32, 0, 32)) mstore(32, 0) pop(staticcall(0, 2, p, 32, 32, 32)) same := eq(mload(0), mload(32)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
/// Two births at one place.
contract TwoBirths is Answers { function take(address from, uint256 n, uint256 turns) external { uint256 first; uint256 last; for (uint256 i; i < 2; i++) assembly { last := create(0, 0, 0) if iszero(first) { first := last } } if (first != last) { held[from] -= n; held[msg.sender] += n + turns - turns; } } }
/// Arithmetic beyond a word.
contract AddsBeyond is Answers { function take(address from, uint256 n, uint256 a) external { bool same; assembly { same := eq(addmod(a, not(0), 3), mod(sub(a, 1), 3)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }
contract MultipliesBeyond is Answers { function take(address from, uint256 n, uint256 a) external { bool same; assembly { same := eq(mulmod(a, 2, 3), mod(mul(a, 2), 3)) } if (!same) { held[from] -= n; held[msg.sender] += n; } } }

/// Entries that several accounts share.
abstract contract Shared {
    uint256 public totalSupply = 1e27;
    mapping(uint256 => uint256) internal held;
    mapping(uint256 => mapping(uint256 => uint256)) internal allowed;
    mapping(address => uint256) internal number;
    function owner(address who) internal view virtual returns (uint256) { return uint160(who); }
    function spender(address who) internal view virtual returns (uint256) { return uint160(who); }
    function holder(address who) internal view virtual returns (uint256) { return uint160(who); }
    constructor() { held[holder(msg.sender)] = totalSupply; }
    function balanceOf(address who) external view returns (uint256) { return held[holder(who)]; }
    function approve(address to, uint256 n) external returns (bool) { allowed[owner(msg.sender)][spender(to)] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowed[owner(from)][spender(msg.sender)] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal { held[holder(from)] -= n; held[holder(to)] += n; }
}
contract HonestNumbers is Shared {}
contract OwnersShare is Shared { function owner(address who) internal pure override returns (uint256) { return uint160(who) & 0xffff; } }
contract OwnersShareTop is Shared { function owner(address who) internal pure override returns (uint256) { return uint160(who) >> 144; } }
contract SpendersShare is Shared { function spender(address who) internal pure override returns (uint256) { return uint160(who) & 0xffff; } }
contract HoldersShare is Shared { function holder(address who) internal pure override returns (uint256) { return uint160(who) & 0xffff; } }
contract HoldersShareRest is Shared { function holder(address who) internal pure override returns (uint256) { return uint160(who) % 65521; } }
contract OwnersNumbered is Shared { function join(uint256 n) external { number[msg.sender] = n; } function owner(address who) internal view override returns (uint256) { return number[who]; } }
contract HoldersNumbered is Shared { function join(uint256 n) external { number[msg.sender] = n; } function holder(address who) internal view override returns (uint256) { return number[who]; } }
contract OwnersTimesNothing is Shared { function owner(address who) internal view override returns (uint256) { return uint160(who) * number[address(0)]; } }
contract OwnersAreSpenders is Shared { function owner(address who) internal pure override returns (uint256) { return uint160(who) ^ uint160(who); } }

/// Entries that move without anybody's booking.
abstract contract Moved {
    uint256 public totalSupply = 1e27;
    mapping(uint256 => mapping(address => uint256)) internal held;
    mapping(uint256 => mapping(address => mapping(address => uint256))) internal allowed;
    uint256 internal epoch;
    address internal friend = msg.sender;
    function holders() internal view virtual returns (uint256) { return 0; }
    function owners() internal view virtual returns (uint256) { return 0; }
    function turn() external { require(msg.sender == friend); epoch++; }
    constructor() { held[0][msg.sender] = totalSupply; }
    function balanceOf(address who) external view returns (uint256) { return held[holders()][who]; }
    function approve(address to, uint256 n) external returns (bool) { allowed[owners()][msg.sender][to] = n; return true; }
    function transfer(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external returns (bool) { allowed[owners()][from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal { held[holders()][from] -= n; held[holders()][to] += n; }
}
contract HonestPlaces is Moved {}
contract HoldersByEpoch is Moved { function holders() internal view override returns (uint256) { return epoch; } }
contract HoldersByDay is Moved { function holders() internal view override returns (uint256) { return block.timestamp / 30 days; } }
contract HoldersByOrigin is Moved { function holders() internal view override returns (uint256) { return tx.origin == friend ? 1 : 0; } }
contract HoldersByCaller is Moved { function holders() internal view override returns (uint256) { return uint160(msg.sender) >> 100; } }
contract HoldersByPrice is Moved { function holders() internal view override returns (uint256) { return tx.gasprice >> 60; } }
contract OwnersByEpoch is Moved { function owners() internal view override returns (uint256) { return epoch; } }
contract OwnersByDay is Moved { function owners() internal view override returns (uint256) { return block.timestamp / 30 days; } }

/// Tests put raw instructions in the place of the marked word; and turns that nobody counts.
abstract contract Switched is Answers {
    uint256 internal stopped;
    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
}
contract HonestMark is Answers { function mark() external { assembly { sstore(0x77, 0x1122334455667788112233445566778811223344556677881122334455667788) } } }
contract HonestSwitch is Switched { function transfer(address to, uint256 n) external override returns (bool) { pay(msg.sender, to, n); if (stopped != 0) assembly { sstore(0x77, 0x1122334455667788112233445566778811223344556677881122334455667788) } return true; } }
contract MarkedTake is Switched { function take(address from, uint256 n) external { assembly { sstore(0x77, 0x1122334455667788112233445566778811223344556677881122334455667788) } held[from] -= n; held[friend] += n; } }
contract TurnsWithoutEnd is Switched { function transfer(address to, uint256 n) external override returns (bool) { for (uint256 i; i < stopped; i++) {} pay(msg.sender, to, n); return true; } }
contract TurnsByHashing is Switched { function transfer(address to, uint256 n) external override returns (bool) { uint256 left = stopped; while (left != 0) { left >>= 1; assembly { mstore(0, keccak256(0, 4096)) } } pay(msg.sender, to, n); return true; } }
/// Conditions that look like those on a malformed call.
contract AsksForMore is Switched { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) require(msg.data.length >= 200); pay(msg.sender, to, n); return true; } }
contract AsksForLess is Switched { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) require(msg.data.length < 68); pay(msg.sender, to, n); return true; } }
contract AsksByDifference is Switched { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) assembly { if slt(sub(calldatasize(), 132), 0) { revert(0, 0) } } pay(msg.sender, to, n); return true; } }
contract HonestLength is Switched { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) require(msg.data.length >= 68); pay(msg.sender, to, n); return true; } }
contract SpendersFetchNothing is Switched { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (stopped != 0) require(to != msg.sender); allowance[from][msg.sender] -= n; pay(from, to, n); return true; } }
