// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Powers behind gates that are no plain comparison with an owner, and tests that look like such gates and admit everybody.

abstract contract Gated {
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 10 ** 27;
    address public owner = msg.sender;
    address public pair;
    bool internal stopped;

    constructor() { balances[msg.sender] = totalSupply; }
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function balanceOf(address who) public virtual view returns (uint256) { return balances[who]; }
    function approve(address spender, uint256 n) external returns (bool) { allowance[msg.sender][spender] = n; return true; }
    function transfer(address to, uint256 n) external virtual returns (bool) { move(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external virtual returns (bool) { allowance[from][msg.sender] -= n; move(from, to, n); return true; }
    function move(address from, address to, uint256 n) internal virtual { ask(from, to); balances[from] -= n; balances[to] += n; }
    function ask(address, address) internal virtual {}
}

abstract contract Stopped is Gated {
    function ask(address, address) internal virtual override { require(!stopped); }
}

contract StopsByBit is Stopped {
    mapping(address => uint256) internal roles;
    function grant(address to, uint8 role) external onlyOwner { roles[to] |= 1 << role; }
    function stop(uint8 role) external { require((roles[msg.sender] >> role) & 1 == 1); stopped = true; }
}

contract StopsByFixedBit is Stopped {
    mapping(address => uint256) internal roles;
    function grant(address to, uint8 role) external onlyOwner { roles[to] |= 1 << role; }
    function stop() external { require((roles[msg.sender] >> 3) & 1 == 1); stopped = true; }
}

contract StopsByLevel is Stopped {
    mapping(address => uint256) internal levels;
    function raise(address to, uint256 level) external onlyOwner { levels[to] = level; }
    function stop() external { require(levels[msg.sender] > 5); stopped = true; }
}

/// Anybody joins, and nobody but the owner makes anybody an administrator.
contract StopsByFlagBeside is Stopped {
    struct User { uint64 joined; bool admin; }
    mapping(address => User) internal users;
    function join() external { users[msg.sender].joined = 1; }
    function appoint(address who) external onlyOwner { users[who].admin = true; }
    function stop() external { require(users[msg.sender].admin); stopped = true; }
}

contract MintsByLevel is Gated {
    mapping(address => uint8) internal levels;
    function raise(address to, uint8 level) external onlyOwner { levels[to] = level; }
    function mint(address to, uint256 n) external { require(levels[msg.sender] >= 2); totalSupply += n; balances[to] += n; }
}

contract RefusesOne is Gated {
    address internal refused;
    function refuse(address who) external onlyOwner { refused = who; }
    function ask(address from, address) internal view override { require(from != refused); }
}

contract SellsByOrigin is Gated {
    function ask(address, address to) internal view override { if (to == pair) require(tx.origin == owner); }
}

contract EndsAtDate is Gated {
    function ask(address from, address) internal view override { if (from != owner) require(block.timestamp < 1900000000); }
}

contract HidesPairs is Gated {
    bool internal hidden;
    function hide(bool yes) external onlyOwner { hidden = yes; }
    function balanceOf(address who) public view override returns (uint256) { return hidden && who == pair ? 0 : balances[who]; }
}

contract SignsForOthers is Gated {
    mapping(address => uint256) internal nonces;
    function permit(address holder, address spender, uint256 n, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(block.chainid, address(this), holder, spender, n, nonces[holder]++)), v, r, s);
        require(signer == holder || signer == owner);
        allowance[holder][spender] = n;
    }
}

contract InnocentPermit is Gated {
    mapping(address => uint256) internal nonces;
    function permit(address holder, address spender, uint256 n, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(block.chainid, address(this), holder, spender, n, nonces[holder]++)), v, r, s);
        require(signer != address(0) && signer == holder);
        allowance[holder][spender] = n;
    }
}

/// The contract allows a router its own coins.
contract InnocentRouter is Gated {
    function allow(address router) external onlyOwner { allowance[address(this)][router] = type(uint256).max; }
}

contract InnocentTries is Stopped {
    mapping(address => uint256) internal tries;
    function attempt() external { require(tries[msg.sender] < 5); tries[msg.sender] += 1; balances[msg.sender] -= 1; totalSupply -= 1; }
}

contract InnocentLevel is Gated {
    mapping(address => uint256) internal staked;
    function stake(uint256 n) external { balances[msg.sender] -= n; staked[msg.sender] += n; }
    function unstake(uint256 n) external { require(staked[msg.sender] > 5); staked[msg.sender] -= n; balances[msg.sender] += n; }
}

/// Block numbers are kept in 32 bits, which ends no trade.
contract InnocentNarrowClock is Gated {
    mapping(address => uint32) internal moved;
    function ask(address from, address) internal override { require(block.number < 2 ** 32); moved[from] = uint32(block.number); }
}

contract InnocentStart is Gated {
    function ask(address from, address) internal view override { if (from != owner) require(block.timestamp >= 1700000000); }
}

/// A fee of a fixed sum, which keeps small amounts from being sold, goes to the owner; the rest goes where it is sent.
contract TaxesBySum is Gated {
    uint256 internal sum;
    mapping(address => bool) internal exempt;
    function set(uint256 n) external onlyOwner { sum = n; }
    function spare(address who) external onlyOwner { exempt[who] = true; }
    function move(address from, address to, uint256 n) internal override {
        uint256 fee = exempt[from] ? 0 : sum;
        balances[from] -= n;
        balances[to] += n - fee;
        if (fee > 0) balances[owner] += fee;
    }
}

abstract contract Shrunk is Gated {
    uint256 internal shift;
    function arrives(uint256 n) internal virtual view returns (uint256) { return n >> shift; }
    function move(address from, address to, uint256 n) internal override { balances[from] -= n; balances[to] += to == pair ? arrives(n) : n; }
}

contract SellsShifted is Shrunk { function set(uint256 n) external onlyOwner { shift = n; } }
contract InnocentHalving is Shrunk { function set(uint256 n) external onlyOwner { require(n <= 1); shift = n; } }
contract SellsDivided is Shrunk {
    function set(uint256 n) external onlyOwner { require(n > 0); shift = n; }
    function arrives(uint256 n) internal view override returns (uint256) { return n / shift; }
}

/// The compiler puts what such a loop repeats behind what follows it.
contract TurnsForStrangers is Gated {
    uint256 internal turns;
    function set(uint256 n) external onlyOwner { turns = n; }
    function ask(address from, address) internal view override { if (from != owner) for (uint256 i; i < turns; i++) keccak256(abi.encode(i)); }
}
