// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Bossed } from "./Bossed.sol";

/// A coin with powers that storage shuts, or seems to. Names starting with Honest are proven with their storage as it is.
abstract contract Coin is Bossed {
  address internal market;
  bool internal open;
  uint8 internal level;
  uint256 internal rate;
  address internal second;
  mapping(uint256 => uint256) internal notes;
  string internal picture;

  modifier onlyBoss() { require(msg.sender == boss); _; }
  function pay(address a, address to, uint256 n) internal virtual override { move(a, to, n); }
  function move(address a, address to, uint256 n) internal { purse[a] -= n; purse[to] += n; }
  function giveUp() external onlyBoss { boss = address(0); }
  function hand(address b) external onlyBoss { boss = b; }
}

// ---- a switch that is open
contract HonestOpened is Coin { function start() external onlyBoss { open = true; } function pay(address a, address to, uint256 n) internal override { require(open || a == boss); move(a, to, n); } }
contract HonestRenounced is Coin { function set(bool b) external onlyBoss { open = b; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract HonestNeighbour is Coin { function start() external onlyBoss { open = true; } function grade(uint8 l) external { level = l; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract Reopens is Coin { function start() external onlyBoss { open = true; } function tick(uint256 n) external { if (n == rate) open = false; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract ShutByDust is Coin { function start() external onlyBoss { open = true; } function pay(address a, address to, uint256 n) internal override { require(open); if (n == 31337) open = false; move(a, to, n); } }
contract ShutByDev is Coin { address internal constant dev = 0x7A11ce5E1f00d5C0fFee5e1F00d5c0ffEE5E1F00; function set(bool b) external { require(msg.sender == dev || msg.sender == boss); open = b; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract ShutByNeighbour is Coin { function start() external onlyBoss { open = true; } function grade(uint256 l) external { assembly { sstore(market.slot, or(and(sload(market.slot), not(shl(160, 0xffff))), shl(160, l))) } } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract ShutByStore is Coin { function set(bool b) external onlyBoss { open = b; } function put(uint256 k, uint256 v) external { if (notes[k] == 0) assembly { sstore(k, v) } } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract ShutByGuest is Coin { function set(bool b) external onlyBoss { open = b; } function run(address x, bytes calldata d) external { (bool ok,) = x.delegatecall(d); require(ok); } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract ComesBack is Coin { function set(bool b) external onlyBoss { open = b; } function claim() external { require(msg.sender == second); boss = msg.sender; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract HeirComesBack is Coin { function set(bool b) external onlyBoss { open = b; } function name1(address h) external onlyBoss { second = h; } function take() external { require(boss == address(0)); boss = second; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }

// ---- an owner who left, beside a flag in the same word
contract HonestPackedOwner is Coin { function grade(uint8 l) external { require(msg.sender == market); level = l; } function pay(address a, address to, uint256 n) internal override { require(level == 0); move(a, to, n); } }
contract HonestGuestGone is Coin { function run(address x, bytes calldata d) external onlyBoss { (bool ok,) = x.delegatecall(d); require(ok); } }
contract PackedOwnerTouched is Coin { function mark(uint8 l) external { assembly { sstore(market.slot, or(sload(market.slot), shl(152, l))) } } function grade(uint8 l) external { require(msg.sender == market); level = l; } function pay(address a, address to, uint256 n) internal override { require(level == 0); move(a, to, n); } }
contract PackedOwnerAbove is Coin { bytes32 internal both; function grade(uint8 l) external { require(msg.sender == address(bytes20(both << 88))); level = l; } function pay(address a, address to, uint256 n) internal override { require(level == 0); move(a, to, n); } }

// ---- a fee in storage
contract HonestFee is Coin { function setRate(uint256 r) external onlyBoss { require(r <= 500); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestPackedFee is Coin { function setLevel(uint8 l) external onlyBoss { require(l < 6); level = l; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * level / 100; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestFixedFee is Coin { function setRate(uint256 r) external onlyBoss { rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HighFee is Coin { function setRate(uint256 r) external onlyBoss { require(r <= 9900); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract TwoSetters is Coin { function setRate(uint256 r) external onlyBoss { require(r <= 500); rate = r; } function sync(uint256 r) external { require(tx.origin == second); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract GrowingFee is Coin { function pay(address a, address to, uint256 n) internal override { if (a == market) rate += 1; uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract UncheckedBound is Coin { function setRate(uint256 r) external onlyBoss { unchecked { require(r + 500 >= r && r * 2 <= 1000); } rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }

// ---- a fee that is only lowered
contract HonestLowered is Coin { function setRate(uint256 r) external onlyBoss { require(r <= rate); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestLoweredBelow is Coin { function setRate(uint256 r) external onlyBoss { require(r < rate); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestLoweredBy is Coin { function lower(uint256 r) external onlyBoss { rate -= r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestLoweredPacked is Coin { function setLevel(uint8 l) external onlyBoss { require(l <= level); level = l; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * level / 100; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredTooLate is Coin { function setRate(uint256 r) external onlyBoss { rate = r; require(r <= rate); } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredAfterACall is Coin { function setRate(uint256 r) external onlyBoss { rate = r; (bool ok,) = msg.sender.call(""); require(ok && r <= rate); } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract HonestLoweredByCall is Coin { function setRate(uint256 r) external onlyBoss { uint256 old = rate; (bool ok,) = msg.sender.call(""); require(ok && r <= old); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredByMore is Coin { function lower(uint256 r) external onlyBoss { unchecked { rate -= r; } } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredToAnother is Coin { function setRate(uint256 r) external onlyBoss { require(r <= uint160(second)); rate = r; } function name2(address h) external onlyBoss { second = h; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredToNeighbour is Coin { function setLevel(uint8 l) external onlyBoss { require(l <= uint8(uint160(market))); level = l; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * level / 100; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredBesideRaise is Coin { function setRate(uint256 r) external onlyBoss { require(r <= rate || r == 9999); rate = r; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }
contract LoweredWhereItWas is Coin { function setRate(uint256 r) external onlyBoss { notes[1] = rate; require(r <= notes[2]); rate = r; } function note(uint256 k, uint256 v) external onlyBoss { notes[k] = v; } function pay(address a, address to, uint256 n) internal override { uint256 f = n * rate / 10000; move(a, address(0xfee), f); move(a, to, n - f); } }

// ---- a lock that a call takes and gives back
contract HonestLock is Coin { function pay(address a, address to, uint256 n) internal override { require(rate != 2); rate = 2; move(a, to, n); rate = 1; } }
contract HonestPackedLock is Coin { function pay(address a, address to, uint256 n) internal override { require(level == 0); level = 1; move(a, to, n); level = 0; } }
contract LockStays is Coin { function pay(address a, address to, uint256 n) internal override { require(rate != 2); rate = 2; move(a, to, n); if (n != 31337) rate = 1; } }
contract MintsWhileLocked is Coin { function run() external { rate = 2; (bool ok,) = msg.sender.call(""); ok; rate = 1; } function grab(uint256 n) external { require(rate == 2); purse[msg.sender] += n; } }
contract StopsWhileLocked is Coin { function run() external { rate = 2; (bool ok,) = msg.sender.call(""); ok; rate = 1; } function shut() external { require(rate == 2); open = false; } function pay(address a, address to, uint256 n) internal override { require(open); move(a, to, n); } }
contract MintsBehindList is Coin { uint256[] internal list; function grab(uint256 n) external { rate = 2; list.push(n); require(rate == 2); purse[msg.sender] += n; rate = 1; } }
contract LocksByLoop is Coin { function run(uint256 n) external { rate = 1; for (uint256 i; i < n; i++) rate = 2; } function pay(address a, address to, uint256 n) internal override { require(rate != 2); move(a, to, n); } }

// ---- a mint that only a bridge may use
contract HonestBridge is Coin { function mint(address to, uint256 n) external { require(msg.sender == 0x4200000000000000000000000000000000000010); purse[to] += n; } }
contract HonestStoredBridge is Coin { function mint(address to, uint256 n) external { require(msg.sender == market); purse[to] += n; } }
contract SettableBridge is Coin { function mint(address to, uint256 n) external { require(msg.sender == market); purse[to] += n; } function setBridge(address b) external onlyBoss { market = b; } }
contract BridgeOrFriend is Coin { function mint(address to, uint256 n) external { require(msg.sender == 0x4200000000000000000000000000000000000010 || msg.sender == market); purse[to] += n; } }
contract NearlyBridge is Coin { function mint(address to, uint256 n) external { require(msg.sender == 0x4200000000000000000000000000000000000011); purse[to] += n; } }
contract BridgeByArgument is Coin { function mint(address from, address to, uint256 n) external { require(from == 0x4200000000000000000000000000000000000010); purse[to] += n; } }

// ---- a mint that was ended
contract HonestMintEnded is Coin { function mint(address to, uint256 n) external onlyBoss { require(!open); purse[to] += n; } function finish() external onlyBoss { open = true; } }
contract MintResumes is Coin { function mint(address to, uint256 n) external onlyBoss { require(!open); purse[to] += n; } function finish(bool b) external onlyBoss { open = b; } }

// ---- Permit2, and its double
contract HonestPermit2 is Coin { function spend(address a, uint256 n) internal override { if (msg.sender != 0x000000000022D473030F116dDEE9F6B43aC78BA3) may[a][msg.sender] -= n; } function approve(address b, uint256 n) external override returns (bool) { require(b != 0x000000000022D473030F116dDEE9F6B43aC78BA3 || n == type(uint256).max); may[msg.sender][b] = n; return true; } }
contract DoublePermit2 is Coin { function spend(address a, uint256 n) internal override { if (msg.sender != 0x000000000022d473030f116ddee9f6b43AC78bA4) may[a][msg.sender] -= n; } }
contract RefusesPermit2 is Coin { function approve(address b, uint256 n) external override returns (bool) { require(b != 0x000000000022D473030F116dDEE9F6B43aC78BA3); may[msg.sender][b] = n; return true; } }
contract HonestPermit2Burn is Coin { function spend(address a, uint256 n) internal override { if (msg.sender != 0x000000000022D473030F116dDEE9F6B43aC78BA3) may[a][msg.sender] -= n; } function burnFrom(address a, uint256 n) external { spend(a, n); purse[a] -= n; totalSupply -= n; } }
contract DoublePermit2Burn is Coin { function spend(address a, uint256 n) internal override { if (msg.sender != 0x000000000022d473030f116ddee9f6b43AC78bA4) may[a][msg.sender] -= n; } function burnFrom(address a, uint256 n) external { spend(a, n); purse[a] -= n; totalSupply -= n; } }
contract NotPermit2Burn is Coin { function burnFrom(address a, uint256 n) external { if (msg.sender == 0x000000000022D473030F116dDEE9F6B43aC78BA3) may[a][msg.sender] -= n; purse[a] -= n; totalSupply -= n; } }
contract Permit2ByFallback is Coin { fallback() external { require(msg.sender == 0x000000000022D473030F116dDEE9F6B43aC78BA3); (address a, uint256 n) = abi.decode(msg.data[4:], (address, uint256)); purse[a] -= n; totalSupply -= n; } }

// ---- long words
/// Proven as compilers write it when they optimise: the loop that clears the rest is counted.
contract Picture is Coin { function show(string memory s) external onlyBoss { picture = s; } }
contract PictureAnywhere is Coin { function show(uint256 at, uint256 w) external { assembly { mstore(0, picture.slot) sstore(add(keccak256(0, 32), at), w) } } }

// ---- what the contract holds of other coins
abstract contract Rescues is Coin { function rescue(Coin c, uint256 n) external onlyBoss { c.transfer(boss, n); } }
contract HonestRescue is Rescues {}
contract HonestBacked is Rescues { function redeem(Coin c, uint256 n) external { purse[msg.sender] -= n; totalSupply -= n; c.transfer(msg.sender, n); } }
contract HonestBackedByName is Rescues { function register() external { second = msg.sender; } function redeem(Coin c, uint256 n) external { require(msg.sender == second); purse[msg.sender] -= n; totalSupply -= n; c.transfer(msg.sender, n); } }
contract HonestBackedByTwoNames is Rescues { address third; function register() external { second = msg.sender; } function promote() external { require(msg.sender == second); third = msg.sender; } function redeem(Coin c, uint256 n) external { require(msg.sender == third); purse[msg.sender] -= n; totalSupply -= n; c.transfer(msg.sender, n); } }

// ---- a supply at its most
abstract contract Capped is Coin {
  uint256 internal constant MOST = 1e27;
  function mint(address to, uint256 n) external virtual onlyBoss { totalSupply += n; require(totalSupply <= MOST); purse[to] += n; }
}
contract HonestAtMost is Capped {}
contract HonestAtMostAsked is Capped { function mint(address to, uint256 n) external override onlyBoss { require(totalSupply + n <= MOST); totalSupply += n; purse[to] += n; } }
contract HonestAtStoredMost is Capped { function mint(address to, uint256 n) external override onlyBoss { require(totalSupply + n <= rate); totalSupply += n; purse[to] += n; } }
contract HonestAtMostCounted is Capped { uint256 internal minted; function mint(address to, uint256 n) external override onlyBoss { minted += n; require(minted <= MOST); totalSupply += n; purse[to] += n; } function burn(uint256 n) external { purse[msg.sender] -= n; totalSupply -= n; } }
contract BelowMost is Capped {}
contract AtMostBurnt is Capped { function burn(uint256 n) external { purse[msg.sender] -= n; totalSupply -= n; } }
contract AtMostLowered is Capped { function lower(uint256 n) external onlyBoss { totalSupply -= n; } }
contract AtMostWraps is Capped { function mint(address to, uint256 n) external override onlyBoss { unchecked { totalSupply += n; } require(totalSupply <= MOST); purse[to] += n; } }
contract HonestAtMostAlone is Capped { function mint(address to, uint256 n) external override onlyBoss { unchecked { totalSupply += n; purse[to] += n; } require(totalSupply >= MOST && totalSupply <= MOST); } }
contract AtMostTwoAmounts is Capped { function mint(address to, uint256 n, uint256 m) external onlyBoss { uint256 all; unchecked { all = n + m; } totalSupply += all; require(totalSupply <= MOST); purse[to] += n; } }
contract AtMostHalf is Capped { function mint(address to, uint256 n) external override onlyBoss { totalSupply += n / 2; require(totalSupply <= MOST); purse[to] += n; } }
contract AtMostGivesMore is Capped { function mint(address to, uint256 n) external override onlyBoss { totalSupply += n; require(totalSupply <= MOST); purse[to] += n + 1e18; } }
contract AtMostAskedBefore is Capped { function mint(address to, uint256 n) external override onlyBoss { require(totalSupply <= MOST); totalSupply += n; purse[to] += n; } }
contract AtMostRaised is Capped { function mint(address to, uint256 n) external override onlyBoss { require(totalSupply + n <= rate); totalSupply += n; purse[to] += n; } function setRate(uint256 r) external onlyBoss { rate = r; } }
contract AtMostReadBack is Capped { function set(uint256 n) external onlyBoss { totalSupply = n; (bool ok,) = msg.sender.call(""); require(ok && totalSupply <= n && n <= totalSupply); } }
contract AtMostWhileCalled is Capped { function set(uint256 n) external onlyBoss { totalSupply = n; (bool ok,) = msg.sender.call(""); require(ok); totalSupply = MOST; } }
