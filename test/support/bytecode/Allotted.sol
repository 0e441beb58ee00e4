// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Bossed } from "./Bossed.sol";

/// A coin whose boss pays out of an account that storage names. Slots: 4 fund, 5 done, 6 funds.
/// Names starting with Honest draw on an account that was named at birth, and on no holder.
abstract contract Coin is Bossed {
  address internal fund;
  bool internal done;
  mapping(uint256 => address) internal funds;

  modifier onlyBoss() { require(msg.sender == boss); _; }
  function pay(address a, address to, uint256 n) internal virtual override { require(to != address(0)); purse[a] -= n; purse[to] += n; }
  function hand(address b) external onlyBoss { boss = b; }
}

contract HonestFund is Coin { constructor(address f) { fund = f; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract HonestLent is Coin { constructor(address f) { fund = f; } function lend(address to) external onlyBoss { may[fund][to] = purse[fund]; } }
contract HonestFlag is Coin { constructor(address f) { fund = f; } function stop() external onlyBoss { done = true; } function give(address to, uint256 n) external onlyBoss { require(!done); pay(fund, to, n); } }

contract Renamed is Coin { function set(address f) external onlyBoss { fund = f; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract RenamedLent is Coin { function set(address f) external onlyBoss { fund = f; } function lend(address to) external onlyBoss { may[fund][to] = purse[fund]; } }
contract NamedOnce is Coin { function set(address f) external onlyBoss { require(!done); done = true; fund = f; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract NamedIfEmpty is Coin { function set(address f) external onlyBoss { require(fund == address(0)); fund = f; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract NamedByBuyer is Coin { function pay(address a, address to, uint256 n) internal override { if (fund == address(0)) fund = to; super.pay(a, to, n); } function give(address to, uint256 n) external onlyBoss { super.pay(fund, to, n); } }
contract Tabled is Coin { function give(uint256 i, address to, uint256 n) external onlyBoss { pay(funds[i], to, n); } }
contract TabledSet is Coin { function set(address f) external onlyBoss { funds[0] = f; } function give(address to, uint256 n) external onlyBoss { pay(funds[0], to, n); } }
contract Moved is Coin { function give(uint160 x, address to, uint256 n) external onlyBoss { pay(address(uint160(fund) ^ x), to, n); } }
contract PartSet is Coin { function set(uint16 x) external onlyBoss { fund = address((uint160(fund) & ~uint160(0xffff)) | x); } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract Stored is Coin { function put(uint256 k, uint256 v) external onlyBoss { assembly { sstore(k, v) } } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract Either is Coin { function give(address f, address to, uint256 n) external onlyBoss { pay(done ? fund : f, to, n); } }

/// What was burnt comes back: the fund is nobody, and holds what others burn.
contract Burnt is Coin { function burn(uint256 n) external { purse[msg.sender] -= n; purse[address(0)] += n; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract BurntByTransfer is Coin { function pay(address a, address to, uint256 n) internal override { purse[a] -= n; purse[to] += n; } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
contract BurntByFee is Coin { function pay(address a, address to, uint256 n) internal override { purse[a] -= n; purse[to] += n - n / 100; purse[fund] += n / 100; } function give(address to, uint256 n) external onlyBoss { purse[fund] -= n; purse[to] += n; } }
contract BurntByAnybody is Coin { function sink(address a, uint256 n) external { purse[msg.sender] -= n; unchecked { purse[a] += n; } } function give(address to, uint256 n) external onlyBoss { pay(fund, to, n); } }
