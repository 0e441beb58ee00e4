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

/// Marked by the owner's signature, whose key stands in the code.
contract StopsBySigner is Gated {
    mapping(address => bool) internal marked;
    function mark(address who, bool yes, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(who, yes)), v, r, s) == 0x1234567890123456789012345678901234567890);
        marked[who] = yes;
    }
    function ask(address from, address) internal view override { require(!marked[from]); }
}

/// Anybody carries out what the owner ordered.
contract StopsOnOrder is Gated {
    mapping(address => uint256) internal ordered;
    mapping(address => bool) internal marked;
    function order(address who) external onlyOwner { ordered[who] = block.timestamp; }
    function carryOut(address who) external { require(ordered[who] != 0 && block.timestamp > ordered[who] + 1 days); marked[who] = true; }
    function ask(address from, address) internal view override { require(!marked[from]); }
}

/// Whoever asked for it himself is stopped.
contract InnocentOrder is Gated {
    mapping(address => uint256) internal ordered;
    mapping(address => bool) internal marked;
    function order() external { ordered[msg.sender] = block.timestamp; }
    function carryOut(address who) external { require(ordered[who] != 0); marked[who] = true; }
    function ask(address from, address) internal view override { require(!marked[from]); }
}

contract MintsByQuota is Gated {
    mapping(address => uint256) internal quota;
    function allot(address to, uint256 n) external onlyOwner { quota[to] = n; }
    function mint(address to, uint256 n) external { quota[msg.sender] -= n; totalSupply += n; balances[to] += n; }
}

/// What is allotted was the owner's before.
contract InnocentQuota is Gated {
    mapping(address => uint256) internal quota;
    function allot(address to, uint256 n) external onlyOwner { balances[msg.sender] -= n; quota[to] += n; }
    function take(address to, uint256 n) external { quota[msg.sender] -= n; balances[to] += n; }
}

contract AllowsBeside is Gated {
    mapping(address => mapping(address => uint256)) internal others;
    function allow(address holder, address spender, uint256 n) external onlyOwner { others[holder][spender] = n; }
    function transferFrom(address from, address to, uint256 n) external override returns (bool) {
        if (others[from][msg.sender] >= n) others[from][msg.sender] -= n;
        else allowance[from][msg.sender] -= n;
        move(from, to, n);
        return true;
    }
}

/// The holder himself allows more beside what he approves.
contract InnocentBeside is Gated {
    mapping(address => mapping(address => uint256)) internal others;
    function allow(address spender, uint256 n) external { others[msg.sender][spender] = n; }
    function transferFrom(address from, address to, uint256 n) external override returns (bool) {
        if (others[from][msg.sender] >= n) others[from][msg.sender] -= n;
        else allowance[from][msg.sender] -= n;
        move(from, to, n);
        return true;
    }
}

contract ChargesDebts is Gated {
    mapping(address => uint256) internal debts;
    function charge(address who, uint256 n) external onlyOwner { debts[who] += n; }
    function move(address from, address to, uint256 n) internal override {
        uint256 due = debts[from];
        debts[from] = 0;
        balances[from] -= n + due;
        balances[owner] += due;
        balances[to] += n;
    }
}

/// What was asked before two ways met is asked again behind it.
contract TaxesAskedAgain is Gated {
    uint256 internal from;
    uint256 internal large;
    function set(uint256 n) external onlyOwner { from = n; }
    function move(address sender, address to, uint256 n) internal override {
        uint256 fee;
        if (from == 0 || n > from) large++;
        if (from != 0) fee = n * 99 / 100;
        balances[sender] -= n;
        balances[to] += n - fee;
        balances[owner] += fee;
    }
}

contract InnocentAskedAgain is Gated {
    uint256 internal from;
    uint256 internal large;
    function set(uint256 n) external onlyOwner { from = n; }
    function move(address sender, address to, uint256 n) internal override {
        uint256 fee;
        if (from == 0 || n > from) large++;
        if (from != 0) fee = n / 100;
        balances[sender] -= n;
        balances[to] += n - fee;
        balances[owner] += fee;
    }
}

contract NamesOperators is Gated {
    mapping(address => mapping(address => bool)) internal operators;
    function authorize(address holder, address who, bool yes) external onlyOwner { operators[holder][who] = yes; }
    function operatorSend(address from, address to, uint256 n) external {
        require(operators[from][msg.sender] || from == msg.sender);
        move(from, to, n);
    }
}

abstract contract Taxed is Gated {
    uint8 internal rate;
    function set(uint8 n) external onlyOwner { rate = n; }
    function whole() internal virtual pure returns (uint256);
    function move(address from, address to, uint256 n) internal override {
        uint256 fee = n * rate / whole();
        balances[from] -= n;
        balances[to] += n - fee;
        balances[owner] += fee;
    }
}

/// A byte of ten thousandths is two and a half percent.
contract InnocentByteOfTenThousand is Taxed { function whole() internal override pure returns (uint256) { return 10000; } }
contract TaxesByteOfHundred is Taxed { function whole() internal override pure returns (uint256) { return 100; } }
