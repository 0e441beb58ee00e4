// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Coins with words that are short as they are made and endless when written out: each step uses the one before twice.

abstract contract Doubled is ERC20 {
    constructor() ERC20("Coin", "COIN") {}
    function doubled(uint256 x) internal pure returns (uint256 y) { y = x; assembly {
        y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y) y := add(y, y)
    } }
    function hashed(uint256 x) internal pure returns (uint256 y) { y = x; assembly {
        mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64)
        mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64)
        mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64)
        mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64) mstore(0, y) mstore(32, y) y := keccak256(0, 64)
    } }
}

/// An amount.
contract DoublesAmount is Doubled {
    mapping(address => uint256) internal held;
    function balanceOf(address who) public view override returns (uint256) { return held[who]; }
    function _update(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; }
    function set(uint256 x) external { held[msg.sender] = doubled(doubled(x)); }
}

/// A place.
contract DoublesPlace is Doubled {
    function set(uint256 x) external { uint256 at = doubled(doubled(x)); assembly { sstore(at, 1) } }
}

/// A factor of what is paid.
contract DoublesShare is Doubled {
    function pay(address to, uint256 n, uint256 x) external { unchecked { _transfer(msg.sender, to, n - n * doubled(doubled(x)) / 1000); } }
}

/// Places that are compared.
contract DoublesHash is Doubled {
    function set(uint256 x, uint256 y) external { uint256 a = hashed(hashed(x)); uint256 b = hashed(hashed(y)); assembly { sstore(a, 1) sstore(7, sload(b)) } }
}
