// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin } from "../../../solidity/Coin.sol";

/// Coins whose code is proven, and whose storage was written before anybody traded: slots 0 totalSupply, 1 balances,
/// 2 allowances.
abstract contract Born is OpenCoin {
  string public constant name = "Born";
  string public constant symbol = "BORN";
  uint8 public constant decimals = 18;

  address internal constant FACTORY = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
  address internal constant WETH = 0x4200000000000000000000000000000000000006;
  bytes32 internal constant PAIR_CODE = 0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f;

  constructor() {
    birth(msg.sender, 4e26);
  }

  /// Where the pool will be.
  function pairOf(address token) internal pure returns (address) {
    (address first, address second) = token < WETH ? (token, WETH) : (WETH, token);
    bytes32 salt = keccak256(abi.encodePacked(first, second));
    return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", FACTORY, salt, PAIR_CODE)))));
  }
}

/// Keeps a name out of the transaction that makes the coin.
contract Secret {
  address public kept;

  function keep(address who) external {
    kept = who;
  }
}

contract Plain is Born {}

/// The deployer's own allowance to an ordinary spender.
contract AllowedSpender is Born {
  constructor(address spender) {
    allowance[msg.sender][spender] = type(uint256).max;
    emit Approval(msg.sender, spender, type(uint256).max);
  }
}

/// The pool allows a friend everything before it exists.
contract PoolAllows is Born {
  constructor(address friend) {
    allowance[pairOf(address(this))][friend] = type(uint256).max;
    emit Approval(pairOf(address(this)), friend, type(uint256).max);
  }
}

/// What was burned can be taken out again.
contract BurnedAllows is Born {
  constructor(address friend) {
    address dead = 0x000000000000000000000000000000000000dEaD;
    totalSupply += 8e27;
    balanceOf[dead] = 8e27;
    emit Transfer(address(0), dead, 8e27);
    allowance[dead][friend] = type(uint256).max;
    emit Approval(dead, friend, type(uint256).max);
  }
}

/// A balance beyond the supply, whose place the code names as if it were one of its own slots.
contract GhostBehindConstant is Born {
  bytes32 private immutable place;

  constructor(Secret secret) {
    place = keccak256(abi.encode(secret.kept(), 1));
    balanceOf[secret.kept()] = 4e35;
  }

  function marker() external view returns (bytes32 word) {
    bytes32 at = place;
    assembly {
      word := sload(at)
    }
  }
}

/// The pool's allowance, behind a constant that looks like a namespace.
contract PoolAllowsBehindConstant is Born {
  bytes32 private immutable place;

  constructor(address friend) {
    place = keccak256(abi.encode(pairOf(address(this)), 2));
    allowance[pairOf(address(this))][friend] = type(uint256).max;
  }

  function marker() external view returns (bytes32 word) {
    bytes32 at = place;
    assembly {
      word := sload(at)
    }
  }
}
