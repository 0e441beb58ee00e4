// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What two sets have in common. Slots: 0 boss, 1 totalSupply, 2 allowances, 3 balances.
abstract contract Bossed {
  address internal boss;
  uint256 public totalSupply;
  mapping(address => mapping(address => uint256)) internal may;
  mapping(address => uint256) internal purse;

  function balanceOf(address who) external view virtual returns (uint256) { return purse[who]; }
  function allowance(address a, address b) external view returns (uint256) { return may[a][b]; }
  function approve(address b, uint256 n) external virtual returns (bool) { may[msg.sender][b] = n; return true; }
  function transfer(address to, uint256 n) external virtual returns (bool) { pay(msg.sender, to, n); return true; }
  function transferFrom(address a, address to, uint256 n) external virtual returns (bool) {
    spend(a, n); pay(a, to, n); return true;
  }
  function spend(address a, uint256 n) internal virtual { may[a][msg.sender] -= n; }
  function pay(address a, address to, uint256 n) internal virtual;
}
