// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin } from "../../../solidity/Coin.sol";

/// An ordinary coin without powers. What is wrong with the traps of this set stands around it.
contract Coin is OpenCoin {
  string public name;
  string public symbol;
  uint8 public constant decimals = 18;

  constructor(string memory coinName, string memory coinSymbol) {
    name = coinName;
    symbol = coinSymbol;
    birth(msg.sender, 4e26);
  }
}

/// Contracts, through which pages of exchanges ask, are told another symbol.
contract TwoFaced is OpenCoin {
  string public constant name = "Plain";
  uint8 public constant decimals = 18;

  constructor() {
    birth(msg.sender, 4e26);
  }

  function symbol() external view returns (string memory) {
    return msg.sender.code.length > 0 ? "USDC" : "PLN";
  }
}

/// More is given at birth than the supply says: once, silently.
contract GhostBalance is Coin {
  constructor(address ghost) Coin("Ghost", "GHOS") {
    balanceOf[ghost] = 4e35;
  }
}

/// The same with an event, as if it were an ordinary first holder.
contract LoudGhost is Coin {
  constructor(address ghost) Coin("Loud", "LOUD") {
    balanceOf[ghost] = 8e27;
    emit Transfer(address(0), ghost, 8e27);
  }
}

/// Nine wallets hold nine tenths from birth.
contract Crowd is Coin {
  constructor() Coin("Crowd", "CRWD") {
    for (uint160 i = 1; i <= 9; i++) {
      address insider = address(uint160(uint256(keccak256(abi.encode(i)))));
      birth(insider, 4e26);
    }
  }
}

/// Most of the supply goes to a friend at birth.
contract Friendly is Coin {
  constructor(address friend) Coin("Friendly", "FRND") {
    birth(friend, 8e27);
  }
}

interface Positions {
  struct Decrease {
    uint256 id;
    uint128 liquidity;
    uint256 least0;
    uint256 least1;
    uint256 deadline;
  }
  struct Collect {
    uint256 id;
    address to;
    uint128 most0;
    uint128 most1;
  }

  function positions(
    uint256 id
  )
    external
    view
    returns (uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128);

  function decreaseLiquidity(Decrease calldata what) external;

  function collect(Collect calldata what) external;
}

/// Holds a position's NFT; takes all liquidity out, and fetches what that brings when it likes.
contract Keeper {
  Positions private immutable manager;

  constructor(address manager_) {
    manager = Positions(manager_);
  }

  function takeOut(uint256 id) external {
    (, , , , , , , uint128 liquidity, , , , ) = manager.positions(id);
    manager.decreaseLiquidity(Positions.Decrease(id, liquidity, 0, 0, block.timestamp));
  }

  function fetch(uint256 id, address to) external {
    manager.collect(Positions.Collect(id, to, type(uint128).max, type(uint128).max));
  }
}
