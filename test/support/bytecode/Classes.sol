// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// One way of harming holders each, or an innocent look-alike, told by what it does to balances and gates.

interface Stranger {
    function allows(address from, address to, uint256 amount) external returns (bool);
    function note(address from, address to, uint256 amount) external;
    function balanceOf(address account) external view returns (uint256);
    function move(address from, address to, uint256 amount) external returns (bool);
}

interface Pair {
    function sync() external;
}

abstract contract Coin {
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) internal given;
    uint256 public totalSupply;
    address public owner;
    address internal market;

    modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }

    function balanceOf(address account) public view virtual returns (uint256) { return held[account]; }
    function allowance(address from, address spender) external view returns (uint256) { return given[from][spender]; }
    function approve(address spender, uint256 amount) external returns (bool) { given[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        given[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) internal virtual { held[from] -= amount; held[to] += amount; }
}

contract OpensOnce is Coin {
    bool private live;
    function go() external onlyOwner { live = true; }
    function move(address from, address to, uint256 amount) internal override { require(live || from == owner); super.move(from, to, amount); }
}

contract ShutUntilOpened is Coin {
    bool private shut = true;
    mapping(address => bool) private early;
    function unlock() external onlyOwner { shut = false; }
    function admit(address who) external onlyOwner { early[who] = true; }
    function move(address from, address to, uint256 amount) internal override { if (shut) require(early[from]); super.move(from, to, amount); }
}

contract RefusesChosenPair is Coin {
    address private dex;
    function setDex(address next) external onlyOwner { dex = next; }
    function move(address from, address to, uint256 amount) internal override { require(to != dex || from == owner); super.move(from, to, amount); }
}

contract AsksStranger is Coin {
    Stranger private other;
    function move(address from, address to, uint256 amount) internal override { require(other.allows(from, to, amount)); super.move(from, to, amount); }
}

contract TellsStranger is Coin {
    Stranger private other;
    function move(address from, address to, uint256 amount) internal override { other.note(from, to, amount); super.move(from, to, amount); }
}

contract SetsAside is Coin {
    mapping(address => uint256) private aside;
    function freeze(address who, uint256 amount) external onlyOwner { held[who] -= amount; aside[who] += amount; }
    function thaw(address who, uint256 amount) external onlyOwner { aside[who] -= amount; held[who] += amount; }
}

contract ThawsNothing is Coin {
    mapping(address => uint256) private aside;
    function note(address who, uint256 amount) external onlyOwner { aside[who] = amount; }
    function thaw(address who, uint256 amount) external onlyOwner { aside[who] -= amount; held[who] += amount; }
}

contract PacksFreeze {
    struct Account { uint128 held; uint64 since; bool frozen; }
    mapping(address => Account) private accounts;
    mapping(address => mapping(address => uint256)) private given;
    uint256 public totalSupply;
    address public owner;
    function balanceOf(address account) external view returns (uint256) { return accounts[account].held; }
    function allowance(address from, address spender) external view returns (uint256) { return given[from][spender]; }
    function approve(address spender, uint256 amount) external returns (bool) { given[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) {
        require(!accounts[msg.sender].frozen);
        accounts[msg.sender].held -= uint128(amount);
        accounts[to].held += uint128(amount);
        return true;
    }
    function freeze(address who, bool yes) external { require(msg.sender == owner); accounts[who].frozen = yes; }
    function wipe(address who) external { require(msg.sender == owner); accounts[who].held = 0; }
}

contract Diverts is Coin {
    mapping(address => bool) private marked;
    function mark(address who, bool yes) external onlyOwner { marked[who] = yes; }
    function move(address from, address to, uint256 amount) internal override { super.move(from, marked[from] ? owner : to, amount); }
}

contract KeepsNearlyAll is Coin {
    mapping(address => bool) private marked;
    function mark(address who, bool yes) external onlyOwner { marked[who] = yes; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 kept = marked[from] ? amount * 99 / 100 : 0;
        held[from] -= amount;
        held[to] += amount - kept;
        held[address(this)] += kept;
    }
}

contract ScalesBalances is Coin {
    uint256 private factor = 1;
    function setFactor(uint256 next) external onlyOwner { factor = next; }
    function balanceOf(address account) public view override returns (uint256) { return held[account] * factor; }
}

contract AnsweredElsewhere {
    Stranger private store;
    address public owner;
    function setStore(Stranger next) external { require(msg.sender == owner); store = next; }
    function balanceOf(address account) external view returns (uint256) { return store.balanceOf(account); }
    function transfer(address to, uint256 amount) external returns (bool) { return store.move(msg.sender, to, amount); }
}

contract SetsBalances is Coin {
    function set(address[] calldata whom, uint256 amount) external onlyOwner { for (uint256 i = 0; i < whom.length; i++) held[whom[i]] = amount; }
}

contract MintsLessFee is Coin {
    uint256 private share = 1;
    address private wallet;
    function mint(address to, uint256 amount) external onlyOwner {
        uint256 fee = amount * share / 100;
        held[to] += amount - fee;
        held[wallet] += fee;
        totalSupply += amount;
    }
}

contract DebitsLess is Coin {
    mapping(address => uint256) private kept;
    function keep(address who, uint256 percent) external onlyOwner { require(percent <= 100); kept[who] = percent; }
    function move(address from, address to, uint256 amount) internal override { held[from] -= amount - amount * kept[from] / 100; held[to] += amount; }
}

contract Agents is Coin {
    mapping(address => bool) private agents;
    function setAgent(address who, bool yes) external onlyOwner { agents[who] = yes; }
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        if (!agents[msg.sender]) given[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
}

contract SellsOwners is Coin {
    uint256 private price;
    function setPrice(uint256 next) external onlyOwner { price = next; }
    function buy() external payable { uint256 amount = msg.value * price; held[owner] -= amount; held[msg.sender] += amount; }
}

contract BurnsFromPair is Coin {
    function burn(uint256 amount) external onlyOwner { held[market] -= amount; totalSupply -= amount; Pair(market).sync(); }
}

contract CallsAnything is Coin {
    function call(address target, bytes calldata input) external { require(target != address(this)); (bool done,) = target.call(input); require(done); }
}

contract InnocentStake is Coin {
    mapping(address => uint256) private staked;
    function stake(uint256 amount) external { held[msg.sender] -= amount; staked[msg.sender] += amount; }
    function unstake(uint256 amount) external { staked[msg.sender] -= amount; held[msg.sender] += amount; }
}

contract InnocentFeeWallet is Coin {
    address private wallet;
    function setWallet(address next) external onlyOwner { wallet = next; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = amount / 50;
        require(wallet != address(0));
        super.move(from, to, amount - fee);
        super.move(from, wallet, fee);
    }
}

contract InnocentMutex is Coin {
    bool private busy;
    uint256 private count;
    function work() external onlyOwner { require(!busy); busy = true; count++; busy = false; }
    function move(address from, address to, uint256 amount) internal override { require(!busy); super.move(from, to, amount); }
}

contract InnocentRouting is Coin {
    function setMarket(address next) external onlyOwner { market = next; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == market ? amount / 100 : 0;
        held[from] -= amount;
        held[to] += amount - fee;
        held[address(this)] += fee;
    }
}
