// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// What the coins of all sets share. Slots of a whole coin: 0 totalSupply, 1 balances, 2 allowances; what a set adds
// begins at 3.

/// Supply and balances, the balances read without a function of the coin's own.
abstract contract Open {
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
}

/// The same, where a coin may answer otherwise than it books.
abstract contract Held {
  uint256 public totalSupply;
  mapping(address => uint256) internal held;
}

abstract contract Allowances {
  mapping(address => mapping(address => uint256)) public allowance;
}

/// What ERC-20 coins tell.
interface Told {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
}

/// Payments by the holder.
abstract contract Transfers {
  function transfer(address to, uint256 value) external virtual returns (bool) {
    pay(msg.sender, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) internal virtual;
}

/// Payments by whom the holder approved, too. Tells nothing.
abstract contract Payments is Allowances, Transfers {
  function approve(address spender, uint256 value) external virtual returns (bool) {
    allowance[msg.sender][spender] = value;
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external virtual returns (bool) {
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
    return true;
  }
}

abstract contract ToldPayments is Payments, Told {
  function approve(address spender, uint256 value) external virtual override returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }
}

/// Tells nothing; its maker holds all of it.
abstract contract SilentCoin is Held, Payments {
  constructor(uint256 supply) {
    totalSupply = supply;
    held[msg.sender] = supply;
  }

  function balanceOf(address who) external view virtual returns (uint256) {
    return held[who];
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    held[from] -= value;
    held[to] += value;
  }
}

/// Born with nothing.
abstract contract HeldCoin is Held, ToldPayments {
  function balanceOf(address who) external view virtual returns (uint256) {
    return held[who];
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    held[from] -= value;
    held[to] += value;
    emit Transfer(from, to, value);
  }
}

/// Born with nothing.
abstract contract OpenCoin is Open, ToldPayments {
  function pay(address from, address to, uint256 value) internal virtual override {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }

  function birth(address to, uint256 value) internal {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }
}
