// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin } from "../../../solidity/Coin.sol";

/// Supply that lies where nobody looks for a holder, or whose holders look as if they had bought it.
abstract contract Depot is OpenCoin {
  string public name = "Depot";
  string public symbol = "DEPO";
  uint8 public constant decimals = 18;

  constructor() {
    birth(msg.sender, 4e26);
    stock();
  }

  function stock() internal virtual;
}

/// Most of the supply is the contract's own; whoever comes first takes it.
contract Hoard is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function clear(uint256 value) external {
    pay(address(this), msg.sender, value);
  }
}

/// Whoever knows the word takes it.
contract HoardByWord is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function clear(string calldata word) external {
    require(keccak256(bytes(word)) == keccak256("sesame"));
    pay(address(this), msg.sender, balanceOf[address(this)]);
  }
}

/// The contract was born with an allowance that it gave a friend.
contract HoardAllowed is Depot {
  address private immutable friend;

  constructor(address to) {
    friend = to;
    allowance[address(this)][to] = type(uint256).max;
    emit Approval(address(this), to, type(uint256).max);
  }

  function stock() internal override {
    birth(address(this), 36e26);
  }
}

/// The contract calls itself as if it were another coin.
contract HoardCalled is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function rescue(HoardCalled coin, uint256 value) external {
    coin.transfer(msg.sender, value);
  }
}

/// What the contract holds stays there.
contract Sealed is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }
}
