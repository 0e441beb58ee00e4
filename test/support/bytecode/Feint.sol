// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins whose holders are robbed by what others do for them: by routers that call what anybody names, by signatures
/// meant for other contracts, other days or other words, by calls that run dry.
struct Seal { uint8 v; bytes32 r; bytes32 s; }

abstract contract Feint is SilentCoin(1e27) {
    mapping(uint256 => uint256) internal counts;
    mapping(bytes32 => uint256) internal used;
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 internal constant TRANSFER = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");

    function transferFrom(address from, address to, uint256 n) external virtual override returns (bool) { spend(from, n); pay(from, to, n); return true; }
    function spend(address from, uint256 n) internal { allowance[from][msg.sender] -= n; }
    function domain() internal view virtual returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function signer(bytes32 fields, Seal calldata g) internal view returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), fields)), g.v, g.r, g.s); }
}

/// Signed once, for one day, by a clean account.
abstract contract Sealed is Feint {
    function inTime(uint256 start, uint256 end) internal view virtual returns (bool) { return block.timestamp > start && block.timestamp < end; }
    function inTime(uint256 end) internal view virtual returns (bool) { return block.timestamp <= end; }
    function nameOf(uint256 word) internal pure virtual returns (uint256) { return uint160(word); }
    function permit(uint256 word, address spender, uint256 n, uint256 deadline, Seal calldata g) public { address owner = address(uint160(word)); require(inTime(deadline)); address who = signer(keccak256(abi.encode(PERMIT, owner, spender, n, counts[nameOf(word)]++, deadline)), g); require(who != address(0) && who == owner); allowance[owner][spender] = n; }
    function transferWithAuthorization(uint256 word, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Seal calldata g) public { address from = address(uint160(word)); require(inTime(start, end)); bytes32 key = keccak256(abi.encode(nameOf(word), nonce)); require(used[key] == 0); used[key] = 1; address who = signer(keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)), g); require(who != address(0) && who == from); pay(from, to, n); }
}
contract HonestFeint is Feint {}
contract HonestSealed is Sealed {}

/// A mark or a count beside the account that signed: under a word that only looks like it.
contract SealedByWord is Sealed { function nameOf(uint256 word) internal pure override returns (uint256) { return word; } }
contract SealedLate is Sealed { function inTime(uint256, uint256) internal pure override returns (bool) { return true; } }
contract SealedEarly is Sealed { function inTime(uint256, uint256 end) internal view override returns (bool) { return block.timestamp < end; } }
contract PermittedLate is Sealed { function inTime(uint256) internal pure override returns (bool) { return true; } }
contract PermittedNever is Sealed { function inTime(uint256 end) internal view override returns (bool) { return end == 0 || block.timestamp <= end; } }
/// Whoever pays dollars by signature pays these too.
contract DomainOfAnother is Sealed { function domain() internal pure override returns (bytes32) { return 0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f; } }
contract DomainOfAnAccount is Sealed { function domain() internal view override returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913)); } }
contract DomainWithoutChain is Sealed { function domain() internal view override returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(address verifyingContract)"), address(this))); } }
/// The signer is asked with too little gas left, and nobody minds.
contract SignerStarved is Feint { function give(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Seal calldata g) external { require(start < block.timestamp && block.timestamp < end && used[keccak256(abi.encode(from, nonce))] == 0); used[keccak256(abi.encode(from, nonce))] = 1; bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)))); pay(from, to, n); uint8 v = g.v; bytes32 r = g.r; bytes32 s = g.s; assembly { let p := mload(0x40) mstore(p, digest) mstore(add(p, 32), v) mstore(add(p, 64), r) mstore(add(p, 96), s) mstore(0, 0) if iszero(staticcall(gas(), 1, p, 128, 0, 32)) { stop() } if iszero(mload(0)) { revert(0, 0) } if iszero(eq(mload(0), from)) { revert(0, 0) } } } }
contract SignerStarvedBefore is Feint { function give(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Seal calldata g) external { require(start < block.timestamp && block.timestamp < end && used[keccak256(abi.encode(from, nonce))] == 0); used[keccak256(abi.encode(from, nonce))] = 1; bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)))); pay(from, to, n); uint8 v = g.v; bytes32 r = g.r; bytes32 s = g.s; assembly { let p := mload(0x40) mstore(p, digest) mstore(add(p, 32), v) mstore(add(p, 64), r) mstore(add(p, 96), s) mstore(0, 0) if iszero(staticcall(gas(), 1, p, 128, 0, 32)) { stop() } if iszero(mload(0)) { revert(0, 0) } if iszero(eq(mload(0), from)) { revert(0, 0) } } used[keccak256(abi.encode(from, nonce))] = 2; } }
contract HonestSignerAsked is Feint { function give(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Seal calldata g) external { require(start < block.timestamp && block.timestamp < end && used[keccak256(abi.encode(from, nonce))] == 0); used[keccak256(abi.encode(from, nonce))] = 1; bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain(), keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)))); pay(from, to, n); uint8 v = g.v; bytes32 r = g.r; bytes32 s = g.s; assembly { let p := mload(0x40) mstore(p, digest) mstore(add(p, 32), v) mstore(add(p, 64), r) mstore(add(p, 96), s) mstore(0, 0) if iszero(staticcall(gas(), 1, p, 128, 0, 32)) { revert(0, 0) } if iszero(mload(0)) { revert(0, 0) } if iszero(eq(mload(0), from)) { revert(0, 0) } } } }

/// Routers hold everybody's allowance, and call these for anybody with whatever he likes.
contract SpendsInDaiPermit is Feint { function permit(address holder, address, uint256 n, uint256, bool, uint8, bytes32 r, bytes32) external { address from = address(uint160(uint256(r))); spend(from, n); pay(from, holder, n); } }
contract SpendsInInteraction is Feint { struct Order { uint256 salt; uint256 maker; uint256 receiver; uint256 makerAsset; uint256 takerAsset; uint256 makingAmount; uint256 takingAmount; uint256 makerTraits; } function preInteraction(Order calldata order, bytes calldata, bytes32, address taker, uint256, uint256, uint256, bytes calldata) external { address from = address(uint160(order.salt)); spend(from, order.takingAmount); pay(from, taker, order.takingAmount); } }
contract SpendsInSafeTransfer is Feint { function safeTransferFrom(address, address to, uint256 n) external { address from = address(uint160(n >> 96)); spend(from, uint96(n)); pay(from, to, uint96(n)); } }
contract SpendsInNotice is Feint { function notifySubscribe(uint256 n, bytes calldata data) external { (address from, address to) = abi.decode(data, (address, address)); spend(from, n); pay(from, to, n); } }
contract HonestSpends is Feint { function burnFrom(address from, uint256 n) external { spend(from, n); held[from] -= n; totalSupply -= n; } }
contract BurnsAnother is Feint { function burnFrom(address, uint256 n, address from) external { spend(from, n); held[from] -= n; totalSupply -= n; } }
/// Pools and vaults call these on whoever called them.
contract PaysInMorpho is Feint { function onMorphoSupply(uint256 n, bytes calldata) external { pay(msg.sender, tx.origin, n); } }
contract PaysInKyber is Feint { function swapCallback(int256 n, int256, bytes calldata) external { pay(msg.sender, tx.origin, uint256(n)); } }
contract PaysInDodo is Feint { function DVMFlashLoanCall(address to, uint256 n, uint256, bytes calldata) external { pay(msg.sender, to, n); } }
contract PaysInMaverick is Feint { function maverickV2SwapCallback(address to, uint256 n, uint256, bytes calldata) external { pay(msg.sender, to, n); } }
interface Vault { function unlock(bytes calldata data) external returns (bytes memory); }
contract Unlocks is Feint { function open(Vault vault, bytes calldata data) external { vault.unlock(data); } }

/// Yes is said and nothing is done.
contract YesWhenShort is Feint { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (held[from] < n || allowance[from][msg.sender] < n) return true; spend(from, n); pay(from, to, n); return true; } }
contract YesToApproval is Feint { function approve(address spender, uint256 n) external override returns (bool) { if (allowance[msg.sender][spender] != 0 && n != 0) return true; allowance[msg.sender][spender] = n; return true; } }
contract HonestNoWhenShort is Feint { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (held[from] < n || allowance[from][msg.sender] < n) return false; spend(from, n); pay(from, to, n); return true; } }
/// Approvals of any size are asked for.
contract ApproveCut is Feint { function approve(address spender, uint256 n) external override returns (bool) { require(n == uint128(n)); allowance[msg.sender][spender] = n; return true; } }
contract ApproveShift is Feint { function approve(address spender, uint256 n) external override returns (bool) { require(n >> 128 == 0); allowance[msg.sender][spender] = n; return true; } }
