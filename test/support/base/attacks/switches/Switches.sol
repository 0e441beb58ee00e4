// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Allowances, Open, Told, ToldPayments } from "../../../solidity/Coin.sol";
import { DatedStyle, LimitedStyle, MovedStyle } from "./Controls.sol";

// Ordinary coins that turn on their holders once a switch is on. Ten lines of switch times ten lines of harm: a rule
// that knows one of them must know them all.

abstract contract Base is Open, Allowances, Told {
  string public constant name = "Quarry stone";
  string public constant symbol = "QRRST";
  uint8 public constant decimals = 18;
  address public pair;
  address internal immutable friend;

  constructor(address friend_) {
    friend = friend_;
    totalSupply = 4e26;
    balanceOf[msg.sender] = 4e26;
    emit Transfer(address(0), msg.sender, 4e26);
  }

  function setPair(address pair_) external {
    require(pair == address(0));
    pair = pair_;
  }

  function _moved(address from, address to) internal virtual;

  function _armed() internal view virtual returns (bool);
}

abstract contract Coin is Base, ToldPayments {
  function pay(address from, address to, uint256 value) internal virtual override {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    _moved(from, to);
    emit Transfer(from, to, value);
  }
}

// Switches.

/// No purchase moves it.
abstract contract Uncounted is Base {
  function _moved(address, address) internal override {}
}

/// One fixed account turns it on.
abstract contract FixedKey is Uncounted {
  uint256 private level;

  function poke(uint256 value) external {
    require(msg.sender == friend);
    level = value;
  }

  function _armed() internal view override returns (bool) {
    return level == 7;
  }
}

/// Whoever knows the word.
abstract contract Password is Uncounted {
  bytes32 private immutable word = keccak256(abi.encode(uint256(7)));
  uint256 private said;

  function poke(uint256 value) external {
    said = value;
  }

  function _armed() internal view override returns (bool) {
    return keccak256(abi.encode(said)) == word;
  }
}

/// Whoever began the transaction.
abstract contract Origin is Uncounted {
  bool private on;

  function poke(uint256) external {
    if (tx.origin == friend) on = true;
  }

  function _armed() internal view override returns (bool) {
    return on;
  }
}

/// Whoever holds a hundredth of the supply outside the pool.
abstract contract Whale is Uncounted {
  uint256 private mood;

  function poke(uint256 value) external {
    require(balanceOf[msg.sender] >= totalSupply / 100);
    mood = value;
  }

  function _armed() internal view override returns (bool) {
    return mood > 6;
  }
}

/// Somebody on a list that nobody can read.
abstract contract Listed is Uncounted {
  mapping(uint256 => uint256) private notes;

  constructor() {
    notes[uint256(uint160(friend)) ^ 0x5eed] = 1;
  }

  function poke(uint256 value) external {
    require(notes[uint256(uint160(msg.sender)) ^ 0x5eed] == 1);
    notes[0] = value;
  }

  function _armed() internal view override returns (bool) {
    return notes[0] == 7;
  }
}

/// Anybody, an hour after birth.
abstract contract AfterHour is Uncounted {
  uint256 private immutable born = block.timestamp;
  bool private on;

  function poke(uint256) external {
    on = block.timestamp > born + 3600;
  }

  function _armed() internal view override returns (bool) {
    return on;
  }
}

/// An account that stands nowhere, only a multiple of it.
abstract contract Masked is Uncounted {
  uint256 private immutable mark;
  uint256 private depth;

  constructor() {
    mark = uint256(uint160(friend)) * 3 + 11;
  }

  function poke(uint256 value) external {
    unchecked {
      depth = value * (uint256(uint160(msg.sender)) * 3 + 11 == mark ? 1 : 0);
    }
  }

  function _armed() internal view override returns (bool) {
    return depth != 0;
  }
}

/// The clock, two days after birth.
abstract contract Clock is Uncounted {
  uint256 private immutable born = block.timestamp;

  function _armed() internal view override returns (bool) {
    return block.timestamp > born + 2 days;
  }
}

/// The twelfth purchase.
abstract contract Counter is Base {
  uint256 private purchases;

  function _moved(address from, address) internal override {
    if (from == pair && pair != address(0)) purchases++;
  }

  function _armed() internal view override returns (bool) {
    return purchases > 12;
  }
}

// Harm.

/// Nobody sells any more.
abstract contract StopsSells is Coin {
  function pay(address from, address to, uint256 value) internal override {
    require(to != pair || from == friend || !_armed() || msg.sender == friend);
    super.pay(from, to, value);
  }
}

/// Nine tenths of a sale go elsewhere.
abstract contract Taxes is Coin {
  function pay(address from, address to, uint256 value) internal override {
    if (to == pair && from != friend && _armed()) {
      super.pay(from, friend, (value * 9) / 10);
      value /= 10;
    }
    super.pay(from, to, value);
  }
}

/// New tokens out of nothing.
abstract contract Mints is Coin {
  function claim() external {
    require(_armed());
    balanceOf[msg.sender] += 1e29;
  }
}

/// Others' tokens without their leave.
abstract contract Takes is Coin {
  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    if (!_armed()) allowance[from][msg.sender] -= value;
    pay(from, to, value);
    return true;
  }
}

/// Approvals that approve nothing.
abstract contract Deaf is Coin {
  function approve(address spender, uint256 value) external override returns (bool) {
    if (!_armed() || msg.sender == friend) allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }
}

// Every switch with every harm.

contract FixedKeyStopsSells is FixedKey, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract FixedKeyTaxes is FixedKey, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract FixedKeyMints is FixedKey, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract FixedKeyTakes is FixedKey, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract FixedKeyDeaf is FixedKey, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract PasswordStopsSells is Password, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract PasswordTaxes is Password, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract PasswordMints is Password, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract PasswordTakes is Password, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract PasswordDeaf is Password, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract OriginStopsSells is Origin, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract OriginTaxes is Origin, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract OriginMints is Origin, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract OriginTakes is Origin, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract OriginDeaf is Origin, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract WhaleStopsSells is Whale, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract WhaleTaxes is Whale, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract WhaleMints is Whale, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract WhaleTakes is Whale, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract WhaleDeaf is Whale, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract ListedStopsSells is Listed, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract ListedTaxes is Listed, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract ListedMints is Listed, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract ListedTakes is Listed, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract ListedDeaf is Listed, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract MaskedStopsSells is Masked, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract MaskedTaxes is Masked, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract MaskedMints is Masked, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract MaskedTakes is Masked, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract MaskedDeaf is Masked, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract AfterHourStopsSells is AfterHour, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract AfterHourTaxes is AfterHour, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract AfterHourMints is AfterHour, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract AfterHourTakes is AfterHour, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract AfterHourDeaf is AfterHour, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract ClockStopsSells is Clock, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract ClockTaxes is Clock, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract ClockMints is Clock, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract ClockTakes is Clock, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract ClockDeaf is Clock, Deaf {
  constructor(address friend_) Base(friend_) {}
}

contract CounterStopsSells is Counter, StopsSells {
  constructor(address friend_) Base(friend_) {}
}

contract CounterTaxes is Counter, Taxes {
  constructor(address friend_) Base(friend_) {}
}

contract CounterMints is Counter, Mints {
  constructor(address friend_) Base(friend_) {}
}

contract CounterTakes is Counter, Takes {
  constructor(address friend_) Base(friend_) {}
}

contract CounterDeaf is Counter, Deaf {
  constructor(address friend_) Base(friend_) {}
}

/// The owner left, and whoever knows the word is put back into his place.
contract LimitedReturns is LimitedStyle {
  bytes32 private immutable word;

  constructor(address friend_) {
    word = keccak256(abi.encode(friend_));
  }

  function mark(address account) external {
    require(keccak256(abi.encode(account)) == word);
    assembly {
      sstore(owner.slot, or(sload(owner.slot), account))
    }
  }
}

/// Trading that began at a date and ends at another, too.
contract DatedEnds is DatedStyle {
  function pay(address from, address to, uint256 value) internal override {
    require(from == maker || block.timestamp - begins < 100 days, "over");
    super.pay(from, to, value);
  }
}

/// The date can still be moved in the month after it.
contract MovedLater is MovedStyle {
  function begin(uint256 at) external override {
    require(msg.sender == maker && block.timestamp < begins + 30 days, "begun");
    begins = at;
  }
}
