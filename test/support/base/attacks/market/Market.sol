// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An ordinary coin without powers. What is wrong with the traps of this set stands around it.
contract Coin {
  string public name;
  string public symbol;
  uint8 public constant decimals = 18;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  constructor(string memory coinName, string memory coinSymbol) {
    name = coinName;
    symbol = coinSymbol;
    _birth(msg.sender, 4e26);
  }

  function _birth(address to, uint256 value) internal {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _transfer(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    _transfer(from, to, value);
    return true;
  }

  function _transfer(address from, address to, uint256 value) internal virtual {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
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
      _birth(insider, 4e26);
    }
  }
}

/// Most of the supply goes to a friend at birth.
contract Friendly is Coin {
  constructor(address friend) Coin("Friendly", "FRND") {
    _birth(friend, 8e27);
  }
}
