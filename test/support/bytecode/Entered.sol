// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Initializable } from "../../../node_modules/@openzeppelin/contracts/proxy/utils/Initializable.sol";
import { Gated } from "./Gated.sol";

/// Who gets an entry in a table, and how: once, when the contract is set up; by giving something up; for good.

abstract contract Stopping is Gated {
    mapping(address => uint256) internal roles;
    function isRole(address who) internal virtual view returns (bool) { return roles[who] & 4 != 0; }
    function stop(bool yes) external { require(isRole(msg.sender)); stopped = yes; }
    function ask(address, address) internal view override { require(!stopped); }
}

contract StopsAsSetUp is Stopping {
    bool internal done;
    function setUp(address first) external { require(!done); done = true; roles[first] = 4; }
}

contract StopsAsCallerSetUp is Stopping {
    uint8 internal version;
    function setUp() external { require(version < 1); version = 1; roles[msg.sender] = 4; }
}

contract StopsAsInitialized is Stopping, Initializable {
    function initialize(address first) external initializer { roles[first] = 4; }
}

contract StopsAsOwnerSetUp is Stopping {
    function setUp() external { require(owner == address(0)); owner = msg.sender; roles[msg.sender] = 4; }
}

contract StopsUntilGivenUp is Stopping {
    function grant(address to, uint256 bits) external onlyOwner { roles[to] |= bits; }
    function giveUp(uint256 bits) external { roles[msg.sender] &= ~bits; }
}

contract StopsUntilTakenOut is Stopping {
    function grant(address to, uint256 bits) external onlyOwner { roles[to] |= bits; }
    function giveUp(uint256 bits) external { roles[msg.sender] ^= roles[msg.sender] & bits; }
}

contract StopsUntilLowered is Stopping {
    function isRole(address who) internal override view returns (bool) { return roles[who] > 3; }
    function grant(address to, uint256 level) external onlyOwner { roles[to] = level; }
    function lower() external { roles[msg.sender] -= 1; }
    function lowerTo(uint256 level) external { require(level < roles[msg.sender]); roles[msg.sender] = level; }
}

/// Anybody may stop it who joins.
contract InnocentJoining is Stopping {
    function join(uint256 bits) external { roles[msg.sender] |= bits; }
    function leave(uint256 bits) external { roles[msg.sender] &= ~bits; }
}

/// Nothing shuts what sets it up.
contract InnocentJoiningOnceOpen is Stopping {
    bool internal done;
    function setUp(address first) external { require(!done); roles[first] = 4; }
}

/// What lowers an entry may wrap around: anybody may.
contract InnocentWrapping is Stopping {
    function isRole(address who) internal override view returns (bool) { return roles[who] > 3; }
    function lower() external { unchecked { roles[msg.sender] -= 1; } }
}

contract InnocentSetUp is Gated {
    bool internal done;
    function setUp(address to, uint256 n) external { require(!done); done = true; owner = msg.sender; totalSupply = n; balances[to] = n; }
}

contract InnocentInitialized is Gated, Initializable {
    mapping(address => bool) internal members;
    function initialize(uint256 n) external initializer {
        if (!members[msg.sender]) members[msg.sender] = true;
        totalSupply += n;
        balances[msg.sender] += n;
    }
}

contract MintsWhileUnlatched is Gated {
    bool internal done;
    function setUp(address to, uint256 n) external { require(!done); balances[to] += n; }
}

contract MintsWhenUnlatched is Gated {
    bool internal done;
    function setUp(address to, uint256 n) external { require(!done); done = true; balances[to] += n; }
    function undo() external onlyOwner { done = false; }
}

contract MintsWhenRenounced is Gated {
    function setUp(address to, uint256 n) external { require(owner == address(0)); owner = msg.sender; balances[to] += n; }
    function renounce() external onlyOwner { owner = address(0); }
}

contract MintsByOwnerOnce is Gated {
    bool internal done;
    function grow(uint256 n) external onlyOwner { require(!done); done = true; balances[owner] += n; }
}
