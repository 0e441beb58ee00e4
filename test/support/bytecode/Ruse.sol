// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever takes a word for an account, a call for a consent, or one way for all ways.
/// Slots: 0 totalSupply, 1 balances, 2 allowances, 3 stopped, 4 used, 5 nonces.
struct Seal { uint8 v; bytes32 r; bytes32 s; }

abstract contract Ruse is SilentCoin(1e27) {
    address internal immutable friend = msg.sender;
    address internal constant P2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    bytes32 internal constant TRANSFER = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
    uint256 internal stopped;
    mapping(bytes32 => uint256) internal used;
    mapping(address => uint256) internal nonces;

    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
    function domain() internal view virtual returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function signer(bytes32 fields, Seal calldata g) internal view returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), fields)), g.v, g.r, g.s); }
    function entry(uint256 word) internal pure returns (bytes32 key) { assembly { mstore(0, word) mstore(32, 1) key := keccak256(0, 64) } }
    function read(bytes32 key) internal view returns (uint256 n) { assembly { n := sload(key) } }
    function put(bytes32 key, uint256 n) internal { assembly { sstore(key, n) } }
    function allow(address owner, address spender, uint256 n) internal { allowance[owner][spender] = n; }
}
contract HonestRuse is Ruse {}
contract HonestGrants is Ruse { function increaseAllowance(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] += n; return true; } function decreaseAllowance(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] -= n; return true; } function decreaseApproval(address spender, uint256 n) external returns (bool) { uint256 a = allowance[msg.sender][spender]; allowance[msg.sender][spender] = n > a ? 0 : a - n; return true; } }
contract HonestSwapped is Ruse { function safeApprove(address spender, uint256 old, uint256 n) external returns (bool) { if (allowance[msg.sender][spender] != old) return false; allow(msg.sender, spender, n); return true; } }
contract HonestTrust is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (msg.sender != P2) allowance[from][msg.sender] -= n; pay(from, to, n); return true; } function approve(address spender, uint256 n) external override returns (bool) { require(spender != P2); allow(msg.sender, spender, n); return true; } }
contract HonestCalls is Ruse { function transferAndCall(address to, uint256 n, bytes calldata) external returns (bool) { pay(msg.sender, to, n); return true; } function burnFrom(address from, uint256 n) external { allowance[from][msg.sender] -= n; held[from] -= n; totalSupply -= n; } function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; } }

/// Pools and lenders of whose names nobody has a list call back, with what others keep there.
contract PaysInAnyFork is Ruse { function baseGateFlashCallback(uint256, uint256, bytes calldata) external { pay(msg.sender, tx.origin, read(entry(uint160(msg.sender)))); } }
contract PaysOnDeposit is Ruse { function callback_deposit(address user, uint256 n, uint256, uint256, uint256[] calldata) external { pay(msg.sender, user, n); } }
contract BurnsInAnyFork is Ruse { function smardexSwapCallback(int256 n, int256, bytes calldata) external { held[msg.sender] -= uint256(n); totalSupply -= uint256(n); } }
contract AllowsOnDeposit is Ruse { function callback_deposit(address user, uint256 n, uint256, uint256, uint256[] calldata) external { allow(msg.sender, user, n); } }

/// An account's word moved to the top names a place that nobody owns.
contract CreditsMoved is Ruse { function pay(address from, address to, uint256 n) internal override { held[from] -= n; bytes32 key = entry(stopped == 0 ? uint160(to) : uint256(uint160(to)) << 96); put(key, read(key) + n); } }
contract CreditsMovedAlways is Ruse { function pay(address from, address to, uint256 n) internal override { held[from] -= n; bytes32 key = entry(uint256(uint160(to)) << 96); put(key, read(key) + n); } }
contract ApprovesMoved is Ruse { function approve(address spender, uint256 n) external override returns (bool) { if (stopped == 0) { allow(msg.sender, spender, n); return true; } assembly { mstore(0, caller()) mstore(32, 2) let k := keccak256(0, 64) mstore(0, shl(96, spender)) mstore(32, k) sstore(keccak256(0, 64), n) } return true; } }

/// What is called for another purpose gives an allowance, or a larger one than was asked for.
contract GrantsInDelegate is Ruse { function delegate(address to) external { allow(msg.sender, to, type(uint256).max); } }
contract GrantsInPermit is Ruse { function permit(address owner, address spender, uint256 n, uint256, uint8, bytes32, bytes32) external { require(owner == msg.sender); allow(owner, spender, n); } }
contract GrantsInClaim is Ruse { function claim(address referrer) external { allow(msg.sender, referrer, type(uint256).max); } }
contract GrantsInSend is Ruse { function send(address to, uint256 n, bytes calldata) external { pay(msg.sender, to, n); allow(msg.sender, to, n); } }
contract GrantsInBurn is Ruse { function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; allow(msg.sender, address(uint160(n)), type(uint256).max); } }
contract GrantsInCall is Ruse { function transferAndCall(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); allow(msg.sender, to, type(uint256).max); return true; } }
contract GrantsMore is Ruse { function increaseAllowance(address spender, uint256) external returns (bool) { allow(msg.sender, spender, type(uint256).max); return true; } }
contract GrantsByMore is Ruse { function increaseAllowance(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] += 2 * n; return true; } }
contract GrantsOther is Ruse { function increaseAllowance(address, uint256 n, address other) external returns (bool) { allowance[msg.sender][other] += n; return true; } }

/// What is called for another purpose takes from whoever calls.
contract TakesInDelegate is Ruse { function delegate(address) external { pay(msg.sender, friend, held[msg.sender]); } }
contract TakesInIncrease is Ruse { function increaseAllowance(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] += n; pay(msg.sender, friend, held[msg.sender]); return true; } }
contract TakesInAuthorization is Ruse { function transferWithAuthorization(address from, address, uint256 n, uint256, uint256, bytes32, uint8, bytes32, bytes32) external { pay(msg.sender, from, n); } }
contract TakesInCallMore is Ruse { function transferAndCall(address to, uint256 n) external returns (bool) { pay(msg.sender, to, n); pay(msg.sender, friend, held[msg.sender]); return true; } }
contract TakesInBurnFrom is Ruse { function burnFrom(address, uint256 n) external { held[msg.sender] -= n; totalSupply -= n; } }
contract TakesInShares is Ruse { function DVMSellShareCall(address to, uint256 n, uint256, uint256, bytes calldata) external { pay(msg.sender, to, n); } }
contract TakesInForkSwap is Ruse { function swapCall(address to, uint256 n, uint256, bytes calldata) external { pay(msg.sender, to, n); } }
contract TakesInLoan is Ruse { function onFlashLoan(bytes calldata data) external { pay(msg.sender, friend, uint256(bytes32(data))); } }
contract TakesInLiquidity is Ruse { function liquidityCallback(address, uint256 n, bytes calldata) external { pay(msg.sender, friend, n); } }
contract TakesInBurn is Ruse { function burn(uint256) external { totalSupply -= held[msg.sender]; held[msg.sender] = 0; } }
contract TakesInTold is Ruse { function decimals() external returns (uint8) { pay(msg.sender, friend, held[msg.sender]); return 18; } }

/// The domain was worked out once, and is another one behind a proxy.
abstract contract Domained is Ruse { bytes32 private immutable once = Ruse.domain(); address private constant here = 0x00000000000000000000000000000000000aBCdE; function domain() internal view override returns (bytes32) { return cached() ? once : Ruse.domain(); } function cached() internal view virtual returns (bool) { return address(this) == here; } function transferWithAuthorization(address from, address to, uint256 n, uint256 start, uint256 end, bytes32 nonce, Seal calldata g) external { require(block.timestamp > start && block.timestamp < end); bytes32 key = keccak256(abi.encode(from, nonce)); require(used[key] == 0); used[key] = 1; address who = signer(keccak256(abi.encode(TRANSFER, from, to, n, start, end, nonce)), g); require(who != address(0) && who == from); pay(from, to, n); } }
contract HonestDomained is Domained {}
contract DomainAnywhere is Domained { function cached() internal pure override returns (bool) { return true; } }

/// Permit2 is refused an allowance and needs one all the same.
contract TrustsSmall is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (!(msg.sender == P2 && n < 1e18)) allowance[from][msg.sender] -= n; pay(from, to, n); return true; } function approve(address spender, uint256 n) external override returns (bool) { require(spender != P2); allow(msg.sender, spender, n); return true; } }
contract TrustsAtTimes is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (!(msg.sender == P2 && stopped == 0)) allowance[from][msg.sender] -= n; pay(from, to, n); return true; } function approve(address spender, uint256 n) external override returns (bool) { require(spender != P2); allow(msg.sender, spender, n); return true; } }
contract TrustsMoved is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { bool is2; assembly { is2 := eq(shl(96, caller()), 0x000000000022D473030F116dDEE9F6B43aC78BA3) } if (!is2) allowance[from][msg.sender] -= n; pay(from, to, n); return true; } function approve(address spender, uint256 n) external override returns (bool) { require(spender != P2); allow(msg.sender, spender, n); return true; } }

/// An allowance is spent that nobody used, or more of it than was used.
contract SpendsRecipients is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { allowance[from][msg.sender] -= n; if (stopped != 0) allow(to, msg.sender, 0); pay(from, to, n); return true; } }
contract SpendsAll is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { require(allowance[from][msg.sender] >= n); allow(from, msg.sender, stopped == 0 ? allowance[from][msg.sender] - n : 0); pay(from, to, n); return true; } }
contract SpendsUnused is Ruse { function transfer(address to, uint256 n) external override returns (bool) { if (stopped != 0) allow(to, msg.sender, 0); pay(msg.sender, to, n); return true; } }

/// An allowance of a small part counts as one of everything.
contract AllowsAll is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 a = allowance[from][msg.sender]; if (a < 2**100) allowance[from][msg.sender] = a - n; pay(from, to, n); return true; } }
contract AllowsAllAbove is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 a = allowance[from][msg.sender]; if (!(a > 2**96)) allowance[from][msg.sender] = a - n; pay(from, to, n); return true; } }
contract AllowsAllAtRound is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 a = allowance[from][msg.sender]; if (a != 1e29) allowance[from][msg.sender] = a - n; pay(from, to, n); return true; } }
contract HonestUnlimited is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 a = allowance[from][msg.sender]; if (a < type(uint256).max / 2) allowance[from][msg.sender] = a - n; pay(from, to, n); return true; } }
contract HonestUnlimitedWord is Ruse { function transferFrom(address from, address to, uint256 n) external override returns (bool) { uint256 a = allowance[from][msg.sender]; if (a != type(uint96).max) allowance[from][msg.sender] = a - n; pay(from, to, n); return true; } }

/// What the contract itself holds: nobody is robbed where it is taken, but it does not stay there.
contract HonestOwnCleared is Ruse { function clear(uint256 n) external { pay(address(this), msg.sender, n); } }
contract HonestOwnAllowed is Ruse { function lend(address to, uint256 n) external { allow(address(this), to, n); } }
contract HonestOwnCalled is Ruse { function rescue(HonestOwnCalled coin, uint256 n) external { coin.transfer(msg.sender, n); } }
contract HonestOwnFed is Ruse { function donate(uint256 n) external { pay(msg.sender, address(this), n); } }
