// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { HeldCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever takes two things that look alike for one, or two accounts that may be one for two.
/// Slots: 0 totalSupply, 1 balances, 2 allowances, 3 treasury.
abstract contract Guile is HeldCoin {
  address internal treasury;
  address internal immutable friend = msg.sender;

  constructor() {
    totalSupply = 1e27;
    held[msg.sender] = 1e27;
  }

  function collect(address who) external {
    require(msg.sender == friend);
    treasury = who;
  }
}

contract HonestGuile is Guile {}

/// A hundredth goes to the treasury, whoever that is.
contract HonestTreasury is Guile {
  function pay(address from, address to, uint256 value) internal override {
    uint256 fee = value / 100;
    held[from] -= value;
    held[to] += value - fee;
    held[treasury] += fee;
    emit Transfer(from, to, value);
  }
}

/// The treasury may have got no more than the fee: it must not be the recipient.
contract TreasuryReceives is Guile {
  function pay(address from, address to, uint256 value) internal override {
    address one = treasury;
    uint256 fee = value / 100;
    uint256 before = held[one];
    held[from] -= value;
    held[to] += value - fee;
    held[one] += fee;
    require(held[one] <= before + fee);
  }
}

/// The treasury must not have less: it must not be the sender.
contract TreasurySends is Guile {
  function pay(address from, address to, uint256 value) internal override {
    address one = treasury;
    uint256 fee = value / 100;
    uint256 before = held[one];
    held[from] -= value;
    held[to] += value - fee;
    held[one] += fee;
    require(held[one] >= before);
  }
}

/// What is asked twice, and answered as gas suffices, does no harm by itself.
contract HonestQuestions is Guile {
  function ask(uint256[2] calldata gases) external view returns (bool same) {
    bool first;
    for (uint256 i = 0; i < 2; i++) {
      uint256 sum = gases[i];
      bool ok;
      assembly { ok := staticcall(sum, 4, 0, 0, 0, 0) }
      if (i == 0) first = ok;
      else same = first == ok;
    }
  }
}

/// The same question to the same precompiled contract, with another sum of gas.
abstract contract Questions is Guile {
  function asked() internal pure virtual returns (uint256);

  function fix(uint256[2] calldata gases, uint256 value) external {
    uint256 one = asked();
    bool first;
    for (uint256 i = 0; i < 2; i++) {
      uint256 sum = gases[i];
      bool ok;
      assembly { ok := staticcall(sum, one, 0, 0, 0, 0) }
      if (i == 0) first = ok;
      else if (first != ok) {
        held[friend] += value;
        totalSupply += value;
      }
    }
  }
}

contract AnsweredAtLast is Questions {
  function asked() internal pure override returns (uint256) { return 4; }
}

contract PowersAtLast is Questions {
  function asked() internal pure override returns (uint256) { return 5; }
}

/// What a pool of a fork of Uniswap V2 calls back gives away what the pool holds.
contract GrantsInForkSwap is Guile {
  function baseSwapCall(address sender, uint256, uint256 value, bytes calldata) external {
    allowance[msg.sender][sender] = value;
  }
}
