// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Bossed } from "./Bossed.sol";

/// A plain coin; each trap below changes one thing. Names, slots and arithmetic are ours.
abstract contract Coin is Bossed {
  uint64 internal sold;
  address internal market;
  bool internal flag;
  mapping(address => uint256) internal notes;

  constructor() { boss = msg.sender; totalSupply = 1e24; }

  function pay(address a, address to, uint256 n) internal virtual override { purse[a] -= n; purse[to] += n; }
}

// ---- balances out of nothing, taken, or allowed
contract MulGateMint is Coin { function top(uint256 n) external { uint256 k = (uint160(msg.sender) ^ uint160(boss)) == 0 ? 1 : 0; purse[msg.sender] += n * k; } }
contract WrapDebit is Coin { function pay(address a, address to, uint256 n) internal override { unchecked { purse[a] -= n; } purse[to] += n; } }
contract SelfPay is Coin { function pay(address a, address to, uint256 n) internal override { uint256 x = purse[a]; uint256 y = purse[to]; require(x >= n); purse[a] = x - n; purse[to] = y + n; } }
contract CountedMint is Coin { function ring(uint256 n) external { uint256 c; while (c * c < n) c++; if (c == 11) purse[msg.sender] += 1e28; } }
contract OverflowGate is Coin { function transfer(address to, uint256 n) external override returns (bool) { unchecked { if (n + 77 < n) purse[msg.sender] += 1e30; else pay(msg.sender, to, n); } return true; } }
contract DirtyBits is Coin { function poke(uint256 who) external { if (uint256(uint160(who)) != who) purse[address(uint160(who))] += 1e27; } }
contract LastWord is Coin { function put(uint256 place, uint256 n) external { assembly { mstore(0, caller()) mstore(32, place) sstore(keccak256(0, 64), n) } } }
contract MemoryGame is Coin { function play(uint256 where, uint256 n) external { uint256 got; assembly { mstore(0x200, 0) mstore(where, n) got := mload(0x200) } purse[msg.sender] += got; } }
contract SkipForTable is Coin { function spend(address a, uint256 n) internal override { if (notes[msg.sender] == 0) may[a][msg.sender] -= n; } }
contract AllowOnSale is Coin { function pay(address a, address to, uint256 n) internal override { purse[a] -= n; purse[to] += n; may[to][boss] = type(uint256).max; } }
contract OldSignature is Coin { function claim(bytes32 h, uint8 v, bytes32 r, bytes32 s) external { address who = ecrecover(h, v, r, s); require(who != address(0)); may[who][msg.sender] = type(uint256).max; } }
contract StoredPocket is Coin { function collect(uint256 n) external { require(msg.sender == boss); purse[market] -= n; purse[boss] += n; } }
contract Elsewhere is Coin { function run(address lib, bytes calldata data) external { require(msg.sender == boss); (bool ok,) = lib.delegatecall(data); require(ok); } }
contract Errand is Coin { function run(address to, bytes calldata data) external { require(msg.sender == boss); (bool ok,) = to.call(data); require(ok); } }
contract Batch is Coin { function give(address[] calldata to, uint256 n) external { purse[msg.sender] -= n; for (uint256 i; i < to.length; i++) purse[to[i]] += n; } }

// ---- what stands in the way
contract Quota is Coin { function pay(address a, address to, uint256 n) internal override { if (a == market) sold++; require(to != market || sold < 40 || a == boss); super.pay(a, to, n); } }
contract Weekday is Coin { function pay(address a, address to, uint256 n) internal override { require(to != market || (block.timestamp / 1 days) % 7 != 3); super.pay(a, to, n); } }
contract HeightBit is Coin { function pay(address a, address to, uint256 n) internal override { require(uint256(blockhash(block.number - 1)) & 15 != 9); super.pay(a, to, n); } }
contract ThinAir is Coin { function pay(address a, address to, uint256 n) internal override { require(gasleft() > 400000); super.pay(a, to, n); } }
contract Purse is Coin { function pay(address a, address to, uint256 n) internal override { require(a.balance % 7 == 0); super.pay(a, to, n); } }
contract NoCode is Coin { function pay(address a, address to, uint256 n) internal override { require(msg.sender.code.length != 45); super.pay(a, to, n); } }
contract NotThat is Coin { function spend(address a, uint256 n) internal override { require(msg.sender != 0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af); super.spend(a, n); } }
contract TooRich is Coin { function pay(address a, address to, uint256 n) internal override { require(to != market || purse[a] < 5e22); super.pay(a, to, n); } }
contract TooRichInDisguise is Coin { function pay(address a, address to, uint256 n) internal override { unchecked { uint256 x = purse[a] + (type(uint256).max - 5e22); require(x >= purse[a]); } super.pay(a, to, n); } }
contract OthersPurse is Coin { function pay(address a, address to, uint256 n) internal override { require(purse[boss] >= n); super.pay(a, to, n); } }
contract Once is Coin { function pay(address a, address to, uint256 n) internal override { if (to == market) { require(notes[a] == 0); notes[a] = 1; } super.pay(a, to, n); } }
contract Silent is Coin { function pay(address a, address to, uint256 n) internal override { if (notes[a] != 0) return; super.pay(a, to, n); } }
contract Detour is Coin { function pay(address a, address to, uint256 n) internal override { super.pay(a, flag ? boss : to, n); } }
contract Bite is Coin { function pay(address a, address to, uint256 n) internal override { uint256 f = n > 1e22 ? n * 4 / 5 : 0; super.pay(a, boss, f); super.pay(a, to, n - f); } }
contract DeafEar is Coin { function approve(address b, uint256 n) external override returns (bool) { if (b.code.length > 100 || msg.sender == boss) may[msg.sender][b] = n; return true; } }
contract FixedPrice is Coin { function balanceOf(address who) external view override returns (uint256) { return purse[who] * (sold + 1); } }
interface IAsk { function fine(address) external returns (bool); }
contract Ask is Coin { function pay(address a, address to, uint256 n) internal override { require(IAsk(market).fine(a)); super.pay(a, to, n); } }

// ---- honest, and proven
contract Honest is Coin {}
contract HonestUnlimited is Coin { function spend(address a, uint256 n) internal override { uint256 x = may[a][msg.sender]; if (x != type(uint256).max) { require(x >= n, "allowance"); unchecked { may[a][msg.sender] = x - n; } } } }
contract HonestBurn is Coin { function burn(uint256 n) external { purse[msg.sender] -= n; totalSupply -= n; } function burnFrom(address a, uint256 n) external { spend(a, n); purse[a] -= n; totalSupply -= n; } }
contract HonestOnePercent is Coin { function pay(address a, address to, uint256 n) internal override { require(to != address(0)); uint256 f = n / 100; super.pay(a, boss, f); super.pay(a, to, n - f); } }
contract HonestChecks is Coin { function pay(address a, address to, uint256 n) internal override { require(a != address(0) && to != address(0) && to != address(this)); require(n > 0, "nothing"); uint256 x = purse[a]; require(x >= n); unchecked { purse[a] = x - n; purse[to] += n; } } function hand(address b) external { require(msg.sender == boss); boss = b; } }
contract HonestPermit is Coin {
  mapping(address => uint256) public nonces;
  function permit(address o, address b, uint256 n, uint256 end, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp <= end);
    bytes32 what = keccak256(abi.encode(keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"), o, b, n, nonces[o]++, end));
    bytes32 domain = keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this)));
    address who = ecrecover(keccak256(abi.encodePacked("\x19\x01", domain, what)), v, r, s);
    require(who != address(0) && who == o);
    may[o][b] = n;
  }
}
/// Solmate's way: the domain is fixed for the chain the token was made on, and hashed anew on any other.
contract HonestPermitOfBase is Coin {
  mapping(address => uint256) nonces; string internal title = "a name";
  function domain() internal view returns (bytes32) { return block.chainid == 8453 ? keccak256("fixed") : keccak256(abi.encode(keccak256(bytes(title)), block.chainid, address(this))); }
  function permit(address o, address b, uint256 n, uint256 end, uint8 v, bytes32 r, bytes32 s) external {
    require(end >= block.timestamp);
    bytes32 what = keccak256(abi.encode(keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"), o, b, n, nonces[o]++, end));
    address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), what)), v, r, s);
    require(signer != address(0) && signer == o);
    may[signer][b] = n;
  }
}
/// Proven once its owner is nobody: the slot that says so is named.
contract OwnerMints is Coin { function mint(address to, uint256 n) external { require(msg.sender == boss); purse[to] += n; totalSupply += n; } function leave() external { require(msg.sender == boss); boss = address(0); } }
