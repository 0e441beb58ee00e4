// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Bossed } from "./Bossed.sol";

/// Coins in whose transfers a date has a say. They are looked at in the second 1,800,000,000 and the block 30,000,000.
/// Names starting with Honest are proven from then on; all others still do harm, or may.
abstract contract Coin is Bossed {
  uint256 internal constant PAST = 1_700_000_000;
  uint256 internal constant TO_COME = 1_900_000_000;
  /// In storage it is 1,700,000,000.
  uint256 internal date;

  modifier onlyBoss() { require(msg.sender == boss); _; }
  function pay(address a, address to, uint256 n) internal virtual override { move(a, to, n); }
  function move(address a, address to, uint256 n) internal { purse[a] -= n; purse[to] += n; }
  function make(address to, uint256 n) internal { totalSupply += n; purse[to] += n; }
}

// ---- trading begins
contract HonestBegun is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= PAST); move(a, to, n); } }
contract HonestBegunByBlock is Coin { function pay(address a, address to, uint256 n) internal override { require(block.number > 20_000_000); move(a, to, n); } }
contract HonestBegunNarrow is Coin { function pay(address a, address to, uint256 n) internal override { require(uint64(block.timestamp) > uint64(PAST)); move(a, to, n); } }
contract HonestBegunOnce is Coin { function start() external onlyBoss { require(date == 0); date = block.timestamp; } function pay(address a, address to, uint256 n) internal override { require(date != 0 && block.timestamp >= date); move(a, to, n); } }
contract HonestBegunMoved is Coin { function start(uint256 at) external onlyBoss { require(block.timestamp < date); date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract HonestBegunMovedOn is Coin { function start(uint64 at) external onlyBoss { require(date > block.timestamp && at > block.timestamp); date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp > date); move(a, to, n); } }
contract BeginsMovedLate is Coin { function start(uint256 at) external onlyBoss { require(block.timestamp < date + 200_000_000); date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract BeginsMovedBack is Coin { function start(uint256 at) external onlyBoss { require(block.timestamp > date); date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract BeginsMovedFirst is Coin { function start(uint256 at) external onlyBoss { date = at; require(block.timestamp < date); } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract BeginsMovedInTwo is Coin { uint256 private other; function first(uint256 at) external onlyBoss { other = at; } function start(uint256 at) external onlyBoss { require(block.timestamp < date || block.timestamp < other); date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract BeginsLater is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= TO_COME); move(a, to, n); } }
contract BeginsAgain is Coin { function start(uint256 at) external onlyBoss { date = at; } function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= date); move(a, to, n); } }
contract BeginsDaily is Coin { function pay(address a, address to, uint256 n) internal override { require((block.timestamp - PAST) % 1 days < 1 hours); move(a, to, n); } }
contract BeginsOften is Coin { function pay(address a, address to, uint256 n) internal override { require(uint16(block.timestamp) >= 600); move(a, to, n); } }

// ---- trading ends
contract Ends is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp < TO_COME); move(a, to, n); } }
contract EndsByBlock is Coin { function pay(address a, address to, uint256 n) internal override { require(block.number <= 40_000_000); move(a, to, n); } }
contract EndsBehindBeginning is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp >= PAST && block.timestamp - PAST < 200_000_000); move(a, to, n); } }
contract EndsAroundTheWord is Coin { function pay(address a, address to, uint256 n) internal override { unchecked { require(PAST - block.timestamp > type(uint256).max - 200_000_000); } move(a, to, n); } }
contract EndsAtTheTop is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp << 225 > 1 << 255); move(a, to, n); } }

// ---- a share is taken
contract HonestFaded is Coin { function pay(address a, address to, uint256 n) internal override { uint256 fee = block.timestamp < PAST + 600 ? n / 2 : 0; move(a, boss, fee); move(a, to, n - fee); } }
contract HonestFadedSince is Coin { function pay(address a, address to, uint256 n) internal override { require(block.timestamp - PAST > 600 || n < 1e18); move(a, to, n); } }
contract TakesLater is Coin { function pay(address a, address to, uint256 n) internal override { uint256 fee = block.timestamp > TO_COME ? n / 2 : 0; move(a, boss, fee); move(a, to, n - fee); } }

// ---- new coins
contract HonestSold is Coin { function buy() external payable { require(block.timestamp < PAST); make(msg.sender, msg.value); } }
contract SoldLater is Coin { function buy() external payable { require(block.timestamp > TO_COME); make(msg.sender, msg.value); } }
contract SoldAgain is Coin { function sale(uint256 till) external onlyBoss { date = till; } function buy() external payable { require(block.timestamp < date); make(msg.sender, msg.value); } }
