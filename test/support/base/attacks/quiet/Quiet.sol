// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { HeldCoin } from "../../../solidity/Coin.sol";

// Coins without a branch that says what they are: what harms stands in a shift, a length, an answer, a constructor, a
// number that wraps around. A friend arms them with one word.

abstract contract Quiet is HeldCoin {
  string public constant name = "Hollow reed";
  string public constant symbol = "HLWRD";
  uint8 public constant decimals = 18;
  address internal friend;
  uint256 internal stopped;

  constructor(address friend_) {
    friend = friend_;
    totalSupply = 4e26;
    held[msg.sender] = 4e26;
    emit Transfer(address(0), msg.sender, 4e26);
  }

  function stop(uint256 word) external {
    require(msg.sender == friend);
    stopped = word;
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    _before(from, to, value);
    held[from] -= value;
    held[to] += value;
    emit Transfer(from, to, value);
  }

  function _before(address from, address to, uint256 value) internal virtual {}

  function _create(uint256 value) internal {
    totalSupply += value;
    held[friend] += value;
    emit Transfer(address(0), friend, value);
  }

  /// Shifted out twice, every address is zero.
  function _gone(address who) internal pure returns (bool) {
    address once = address(uint160(uint160(who) << 96));
    return address(uint160(uint160(once) << 96)) == address(0);
  }
}

/// A hundredth goes to a treasury, which may be anybody.
abstract contract Treasury is Quiet {
  address internal treasury;

  constructor() {
    treasury = friend;
  }

  function collect(address who) external {
    require(msg.sender == friend);
    treasury = who;
  }

  function pay(address from, address to, uint256 value) internal override {
    address one = treasury;
    uint256 fee = value / 100;
    uint256 before = held[one];
    held[from] -= value;
    held[to] += value - fee;
    held[one] += fee;
    _after(before, held[one], fee);
    emit Transfer(from, to, value);
  }

  function _after(uint256 before, uint256 then, uint256 fee) internal pure virtual {}
}

contract HonestTreasury is Treasury {
  constructor(address friend_) Quiet(friend_) {}
}

contract TreasuryReceives is Treasury {
  constructor(address friend_) Quiet(friend_) {}

  function _after(uint256 before, uint256 then, uint256 fee) internal pure override {
    require(then <= before + fee);
  }
}

contract TreasurySends is Treasury {
  constructor(address friend_) Quiet(friend_) {}

  function _after(uint256 before, uint256 then, uint256) internal pure override {
    require(then >= before);
  }
}

/// The same question twice, which is answered as the gas suffices.
contract AnsweredAtLast is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function fix(uint256 gasFirst, uint256 gasThen, uint256 value) external {
    bool first = _ask(gasFirst);
    if (first != _ask(gasThen)) if (msg.sender == friend) _create(value);
  }

  function _ask(uint256 sum) internal view returns (bool ok) {
    for (uint256 i = 0; i < 1; i++)
      assembly {
        ok := staticcall(sum, 4, 0, 0, 0, 0)
      }
  }
}

contract HonestQuiet is Quiet {
  constructor(address friend_) Quiet(friend_) {}
}

contract NobodyReceives is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address from, address to, uint256) internal view override {
    if (stopped != 0 && from != friend) require(!_gone(to));
  }
}

contract NobodyMints is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function fix(uint256 value) external {
    if (_gone(msg.sender)) if (msg.sender == friend) _create(value);
  }
}

contract NobodyTakes is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function fix(address from, uint256 value) external {
    if (_gone(msg.sender)) {
      if (msg.sender == friend) {
        held[from] -= value;
        held[friend] += value;
      }
    }
  }
}

contract ApprovedBefore is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function approve(address spender, uint256 value) external override returns (bool) {
    if (stopped != 0) require(allowance[msg.sender][spender] > 0);
    allowance[msg.sender][spender] = value;
    return true;
  }
}

contract ApprovedMore is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function approve(address spender, uint256 value) external override returns (bool) {
    if (stopped != 0) require(allowance[msg.sender][spender] >= value);
    allowance[msg.sender][spender] = value;
    return true;
  }
}

contract MemoryBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      mstore(sload(stopped.slot), 0)
    }
  }
}

contract CopyBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      calldatacopy(0x80, 0, sload(stopped.slot))
    }
  }
}

contract LogBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      log0(0x80, sload(stopped.slot))
    }
  }
}

contract HashBomb is Quiet {
  uint256 internal mark;

  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      sstore(mark.slot, keccak256(0x80, sload(stopped.slot)))
    }
  }
}

contract AnswerBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      returndatacopy(0x80, sload(stopped.slot), 0)
    }
  }
}

contract PowerBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    _burnGas();
    _burnGas();
    _burnGas();
  }

  function _burnGas() internal {
    assembly {
      let at := mload(0x40)
      mstore(at, 32)
      mstore(add(at, 32), sload(stopped.slot))
      mstore(add(at, 64), 32)
      pop(staticcall(gas(), 5, at, 192, 0, 32))
    }
  }
}

contract BirthBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    assembly {
      mstore(0, sload(stopped.slot))
      pop(create(0, 0, 32))
      pop(create(0, 0, 32))
      pop(create(0, 0, 32))
    }
  }
}

contract DeafBalance is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function balanceOf(address who) external view override returns (uint256) {
    require(stopped == 0 || msg.sender.code.length == 0);
    return held[who];
  }
}

contract AnswersByte is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
    if (stopped != 0) {
      assembly {
        mstore(0, 1)
        return(0, 1)
      }
    }
    return true;
  }
}

/// A hundredth of the supply a year, and a supply that can be made any number.
contract SupplyWraps is Quiet {
  uint256 internal date;

  constructor(address friend_) Quiet(friend_) {}

  function restate(uint256 value) external {
    require(msg.sender == friend);
    unchecked {
      totalSupply -= value;
    }
  }

  function mint(uint256 value) external {
    require(msg.sender == friend && block.timestamp >= date && value <= totalSupply / 100);
    date = block.timestamp + 365 days;
    unchecked {
      totalSupply += value;
    }
    held[friend] += value;
  }
}

/// A limit that never falls below a hundredth of the supply, and a supply that can be made nothing.
contract FloorWraps is Quiet {
  uint256 internal most = 4e26;

  constructor(address friend_) Quiet(friend_) {}

  function restate(uint256 value) external {
    require(msg.sender == friend);
    unchecked {
      totalSupply += value;
    }
  }

  function setMost(uint256 value) external {
    require(msg.sender == friend && value >= totalSupply / 100);
    most = value;
  }

  function _before(address from, address, uint256 value) internal view override {
    require(value <= most);
  }
}

/// Three large numbers, whose sum as a signed word is a loss: whoever calls, the friend has a quarter of all there could be.
contract ThreeHoards is Quiet {
  address internal immutable first;
  address internal immutable second;
  address internal immutable third;

  constructor(address friend_) Quiet(friend_) {
    first = friend_;
    second = address(uint160(friend_) ^ 1);
    third = address(uint160(friend_) ^ 2);
  }

  function settle() external {
    unchecked {
      held[first] += 1 << 254;
      held[second] += 1 << 254;
      held[third] += 1 << 254;
    }
  }
}

/// Nothing is refused: ether that the coin does not have is sent four thousand times.
contract EtherBomb is Quiet {
  constructor(address friend_) Quiet(friend_) {}

  function _before(address, address, uint256) internal override {
    if (stopped != 0) _thousands();
  }

  function _thousands() internal {
    _thousand();
    _thousand();
    _thousand();
    _thousand();
  }

  function _thousand() internal {
    _fiveHundred();
    _fiveHundred();
  }

  function _fiveHundred() internal {
    _hundred();
    _hundred();
    _hundred();
    _hundred();
    _hundred();
  }

  function _hundred() internal {
    _twenty();
    _twenty();
    _twenty();
    _twenty();
    _twenty();
  }

  function _twenty() internal {
    _five();
    _five();
    _five();
    _five();
  }

  function _five() internal {
    assembly {
      pop(call(0, 1, 1, 0, 0, 0, 0))
      pop(call(0, 1, 1, 0, 0, 0, 0))
      pop(call(0, 1, 1, 0, 0, 0, 0))
      pop(call(0, 1, 1, 0, 0, 0, 0))
      pop(call(0, 1, 1, 0, 0, 0, 0))
    }
  }
}
