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

/// A coin of which its maker keeps most.
contract Kept is Depot {
  function stock() internal override {
    birth(msg.sender, 36e26);
  }
}

interface IPair {
  function skim(address to) external;
}

/// Sends tokens through a pool, which gives them away as if somebody had bought them.
contract Launderer {
  function skim(Kept coin, IPair pair, uint256 value) external {
    for (uint160 i = 1; i <= 24; i++) {
      coin.transfer(address(pair), value);
      pair.skim(address(uint160(uint256(keccak256(abi.encode(i))))));
    }
  }
}

/// Two dozen friends hold most from birth, as if somebody who has nothing to do with it had sold it to them.
contract Forged is Depot {
  function stock() internal override {
    for (uint160 i = 1; i <= 24; i++) {
      address friend = address(uint160(uint256(keccak256(abi.encode(i)))));
      balanceOf[friend] = 15e25;
      emit Transfer(address(uint160(friend) - 1), friend, 15e25);
    }
    totalSupply += 36e26;
  }
}

/// All of it is for sale.
contract Plain is Depot {
  function stock() internal override {}
}
