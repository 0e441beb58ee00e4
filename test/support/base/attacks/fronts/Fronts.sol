// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { HeldCoin } from "../../../solidity/Coin.sol";

// Coins whose code is not the one that is named: slots that standards keep for proxies say what nobody runs, and proxies
// do more than pass calls on. Slots: 0 totalSupply, 1 balances, 2 allowances, 3 friend, 4 stopped.

bytes32 constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
bytes32 constant BEACON = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
bytes32 constant ZOS = 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3;

contract Coin is HeldCoin {
  address internal friend;
  uint256 internal stopped;

  function name() external pure returns (string memory) { return "Shopfront"; }
  function symbol() external pure returns (string memory) { return "SHPFR"; }
  function decimals() external pure returns (uint8) { return 18; }
  function owner() external pure returns (address) { return address(0); }
}

/// Born with the whole supply in its maker's hands.
abstract contract Born is Coin {
  constructor(address friend_) {
    friend = friend_;
    totalSupply = 4e26;
    held[msg.sender] = 4e26;
    emit Transfer(address(0), msg.sender, 4e26);
  }

  function named(bytes32 slot, address code) internal { assembly { sstore(slot, code) } }
}

/// No proxy at all: sales stop by a switch of its own code, which nobody is told to look at.
abstract contract Front is Born {
  function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }

  function pay(address from, address to, uint256 value) internal override {
    require(stopped == 0 || from == friend || to != address(uint160(stopped)));
    super.pay(from, to, value);
  }
}

contract NamesAnother is Front { constructor(address friend_) Born(friend_) { named(IMPLEMENTATION, address(new Coin())); } }
contract NamesAnotherOldly is Front { constructor(address friend_) Born(friend_) { named(ZOS, address(new Coin())); } }

contract Beacon {
  Coin private immutable coin = new Coin();
  function implementation() external view returns (address) { return address(coin); }
  function owner() external pure returns (address) { return address(0); }
}
contract NamesABeacon is Front { constructor(address friend_) Born(friend_) { named(BEACON, address(new Beacon())); } }

contract NamesAFacet is Front {
  address private immutable facet = address(new Coin());
  constructor(address friend_) Born(friend_) {}
  function facetAddress(bytes4) external view returns (address) { return facet; }
}

/// Runs the code that it names, and now and then its own.
abstract contract Passing {
  constructor(address friend_) {
    (bool ok,) = _set(friend_);
    require(ok);
  }

  function _set(address friend_) private returns (bool, bytes memory) {
    bytes32 held = keccak256(abi.encode(msg.sender, 1));
    assembly {
      sstore(0, 400000000000000000000000000)
      sstore(held, 400000000000000000000000000)
      sstore(3, friend_)
    }
    return (true, "");
  }

  function _implementation() internal view virtual returns (address code) { assembly { code := sload(IMPLEMENTATION) } }

  function _pass() internal virtual {
    address code = _implementation();
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }

  fallback() external { _pass(); }
}

contract HonestPassing is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new Coin()); assembly { sstore(IMPLEMENTATION, code) } }
}

contract MintsBeside is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new Coin()); assembly { sstore(IMPLEMENTATION, code) } }

  function give(uint256 value) external {
    bytes32 held = keccak256(abi.encode(msg.sender, 1));
    assembly {
      if iszero(eq(caller(), sload(3))) { revert(0, 0) }
      sstore(held, add(sload(held), value))
    }
  }
}

contract StopsBeside is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new Coin()); assembly { sstore(IMPLEMENTATION, code) } }

  function stop(uint256 word) external { assembly { if iszero(eq(caller(), sload(3))) { revert(0, 0) } sstore(4, word) } }

  function _pass() internal override {
    assembly { if and(iszero(iszero(sload(4))), eq(calldataload(4), sload(4))) { revert(0, 0) } }
    super._pass();
  }
}

contract PassesElsewhere is Passing {
  address private immutable other;
  constructor(address friend_) Passing(friend_) { other = address(new Upgraded()); address code = address(new Coin()); assembly { sstore(IMPLEMENTATION, code) } }
  function _implementation() internal view override returns (address code) {
    address second = other;
    assembly { code := sload(IMPLEMENTATION) if eq(caller(), sload(3)) { code := second } }
  }
}

/// The code it runs can be replaced by somebody whom no question names.
contract Upgrading is Coin {
  function upgradeTo(address code) external { require(msg.sender == friend); assembly { sstore(IMPLEMENTATION, code) } }
}
contract Upgraded is Coin {
  function give(uint256 value) external { held[msg.sender] += value; emit Transfer(address(0), msg.sender, value); }
}
contract UpgradedByFriend is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new Upgrading()); assembly { sstore(IMPLEMENTATION, code) } }
}

bytes32 constant OWNER = 0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300;
bytes32 constant BEGUN = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;

/// The code behind replaces itself, as its owner says; owner and beginning stand where OpenZeppelin keeps them.
contract Replacing is HeldCoin {
  modifier onlyOwner() {
    require(msg.sender == owner());
    _;
  }

  function name() external pure returns (string memory) { return "Shopfront"; }
  function symbol() external pure returns (string memory) { return "SHPFR"; }
  function decimals() external pure returns (uint8) { return 18; }
  function owner() public view returns (address who) { assembly { who := sload(OWNER) } }
  function _own(address who) internal { assembly { sstore(OWNER, who) } }
  function renounceOwnership() external onlyOwner { _own(address(0)); }

  function initialize() external {
    uint256 begun;
    assembly { begun := sload(BEGUN) }
    require(begun == 0);
    assembly { sstore(BEGUN, 1) }
    _own(msg.sender);
  }

  function upgradeToAndCall(address code, bytes calldata data) external onlyOwner {
    assembly { sstore(IMPLEMENTATION, code) }
    if (data.length > 0) {
      (bool ok,) = code.delegatecall(data);
      require(ok);
    }
  }
}
/// A further beginning is left open.
contract ReplacingAnew is Replacing {
  function begin(uint256 version) external {
    uint256 begun;
    assembly { begun := sload(BEGUN) }
    require(version > begun);
    assembly { sstore(BEGUN, version) }
    _own(msg.sender);
  }
}
contract HonestReplacing is Passing {
  constructor(address friend_) Passing(friend_) {
    address code = _code();
    assembly {
      sstore(IMPLEMENTATION, code)
      sstore(OWNER, caller())
      sstore(BEGUN, 1)
    }
  }

  function _code() internal virtual returns (address) { return address(new Replacing()); }
}
contract BeginsAnew is HonestReplacing {
  constructor(address friend_) HonestReplacing(friend_) {}
  function _code() internal override returns (address) { return address(new ReplacingAnew()); }
}

/// A clone of EIP-1167 with somebody's name behind its code.
contract Clone is Born {
  constructor(address code, address friend_) Born(friend_) {
    bytes memory runtime =
      abi.encodePacked(hex"363d3d373d3d3d363d73", code, hex"5af43d82803e903d91602b57fd5bf3", friend_);
    assembly { return(add(runtime, 32), mload(runtime)) }
  }
}
/// Code behind a clone, which mints for whom the clone's own code names.
contract MintsForName is Coin {
  function give(uint256 value) external {
    address named;
    assembly {
      extcodecopy(address(), 0, 45, 20)
      named := shr(96, mload(0))
    }
    require(msg.sender == named);
    held[named] += value;
  }
}

/// Whoever comes first sets it up, with a supply for himself.
abstract contract SettingUp is Coin {
  function _place() internal pure virtual returns (bytes32);

  function setUp(uint256 value) external {
    bytes32 place = _place();
    uint256 done;
    assembly { done := sload(place) }
    require(done == 0);
    assembly { sstore(place, 1) }
    totalSupply += value;
    held[msg.sender] += value;
  }
}
contract SettingUpFar is SettingUp { function _place() internal pure override returns (bytes32) { return keccak256("shopfront.setup"); } }
contract SettingUpAsUsual is SettingUp { function _place() internal pure override returns (bytes32) { return BEGUN; } }

contract NeverSetUp is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new SettingUpFar()); assembly { sstore(IMPLEMENTATION, code) } }
}
contract NeverSetUpAsUsual is Passing {
  constructor(address friend_) Passing(friend_) { address code = address(new SettingUpAsUsual()); assembly { sstore(IMPLEMENTATION, code) } }
}
/// It was, in its constructor.
contract SetUpAsUsual is NeverSetUpAsUsual {
  constructor(address friend_) NeverSetUpAsUsual(friend_) { assembly { sstore(BEGUN, 1) } }
}
