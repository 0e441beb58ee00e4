// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Told, Transfers } from "./Coin.sol";

/// Keeps balances, allowances and the owner where Solady keeps them: hashes of accounts that are not padded.
abstract contract SeededCoin is Told, Transfers {
  uint256 internal constant BALANCES = 0x87a211a2;
  uint256 private constant ALLOWANCES = 0x7f5e9f20;
  uint256 private constant SUPPLY = 0x05345cdf77eb68f44c;
  uint256 private constant OWNER = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffff74873927;

  constructor() {
    assembly {
      sstore(SUPPLY, 400000000000000000000000000)
      mstore(0x0c, BALANCES)
      mstore(0, caller())
      sstore(keccak256(0x0c, 0x20), 400000000000000000000000000)
      sstore(OWNER, caller())
    }
    emit Transfer(address(0), msg.sender, 4e26);
  }

  function totalSupply() external view returns (uint256 all) {
    assembly {
      all := sload(SUPPLY)
    }
  }

  function owner() external view returns (address who) {
    assembly {
      who := sload(OWNER)
    }
  }

  function renounceOwnership() external {
    assembly {
      if iszero(eq(caller(), sload(OWNER))) {
        revert(0, 0)
      }
      sstore(OWNER, 0)
    }
  }

  function balanceOf(address who) external view returns (uint256 has) {
    assembly {
      mstore(0x0c, BALANCES)
      mstore(0, who)
      has := sload(keccak256(0x0c, 0x20))
    }
  }

  function allowance(address from, address spender) external view returns (uint256 left) {
    assembly {
      mstore(0x20, spender)
      mstore(0x0c, ALLOWANCES)
      mstore(0, from)
      left := sload(keccak256(0x0c, 0x34))
    }
  }

  function approve(address spender, uint256 value) external returns (bool) {
    assembly {
      mstore(0x20, spender)
      mstore(0x0c, ALLOWANCES)
      mstore(0, caller())
      sstore(keccak256(0x0c, 0x34), value)
    }
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    assembly {
      mstore(0x20, caller())
      mstore(0x0c, ALLOWANCES)
      mstore(0, from)
      let place := keccak256(0x0c, 0x34)
      let left := sload(place)
      if not(left) {
        if gt(value, left) {
          revert(0, 0)
        }
        sstore(place, sub(left, value))
      }
    }
    pay(from, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) internal override {
    assembly {
      mstore(0x0c, BALANCES)
      mstore(0, from)
      let place := keccak256(0x0c, 0x20)
      let has := sload(place)
      if gt(value, has) {
        revert(0, 0)
      }
      sstore(place, sub(has, value))
      mstore(0, to)
      place := keccak256(0x0c, 0x20)
      sstore(place, add(sload(place), value))
    }
    emit Transfer(from, to, value);
  }
}
