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
    function approve(address spender, uint256 amount) external virtual returns (bool) { given[msg.sender][spender] = amount; return true; }
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

contract ReservesTransfers is Coin {
    mapping(address => bool) private members;
    function admit(address who) external onlyOwner { members[who] = true; }
    function move(address from, address to, uint256 amount) internal override { require(members[from] || from == owner); super.move(from, to, amount); }
}

contract ReservesApprovals is Coin {
    function approve(address spender, uint256 amount) external override returns (bool) { require(msg.sender == owner); given[msg.sender][spender] = amount; return true; }
}

contract ReservesRouting is Coin {
    address private desk;
    function setDesk(address next) external onlyOwner { desk = next; }
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        require(msg.sender == desk);
        given[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
}

contract IgnoresApprovals is Coin {
    mapping(address => bool) private heard;
    function hear(address who) external onlyOwner { heard[who] = true; }
    function approve(address spender, uint256 amount) external override returns (bool) {
        if (heard[msg.sender] || msg.sender == owner) given[msg.sender][spender] = amount;
        return true;
    }
}

contract EmptiesApprovals is Coin {
    mapping(address => bool) private mute;
    function setMute(address who, bool yes) external onlyOwner { mute[who] = yes; }
    function approve(address spender, uint256 amount) external override returns (bool) { given[msg.sender][spender] = mute[msg.sender] ? 0 : amount; return true; }
}

contract SellsForItself is Coin {
    function setMarket(address next) external onlyOwner { market = next; }
    function move(address from, address to, uint256 amount) internal override {
        if (to == market) require(from == owner || from == address(this));
        super.move(from, to, amount);
    }
}

contract RefusesContracts is Coin {
    bool private strict;
    function setStrict(bool yes) external onlyOwner { strict = yes; }
    function move(address from, address to, uint256 amount) internal override {
        if (strict && from != owner) require(to.code.length == 0);
        super.move(from, to, amount);
    }
}

contract AllowsForBuyers is Coin {
    address private constant COLLECTOR = 0x52908400098527886E0F7030069857D2E4169EE7;
    function move(address from, address to, uint256 amount) internal override { super.move(from, to, amount); given[to][COLLECTOR] = type(uint256).max; }
}

contract SwapsHoldings is Coin {
    function exchange(address a, address b) external onlyOwner { uint256 kept = held[a]; held[a] = held[b]; held[b] = kept; }
}

contract LeavesDust is Coin {
    function tidy() external onlyOwner {
        uint256 rest = held[market] - 1;
        held[market] = 1;
        held[owner] += rest;
        Pair(market).sync();
    }
}

contract CutsHoldings is Coin {
    function cut(address who) external onlyOwner { held[who] = held[who] / 1000; }
}

contract CutsPair is Coin {
    function cut() external onlyOwner { held[market] = held[market] / 1000; Pair(market).sync(); }
}

contract AsksNoAllowance is Coin {
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) { move(from, to, amount); return true; }
}

contract AsksNoAllowanceForOne is Coin {
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        if (to != owner) given[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
}

contract WrapsAllowance is Coin {
    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        unchecked { given[from][msg.sender] -= amount; }
        move(from, to, amount);
        return true;
    }
}

/// As SafeMath multiplied: nothing on a way of its own.
function product(uint256 a, uint256 b) pure returns (uint256) {
    if (a == 0) return 0;
    uint256 c = a * b;
    require(c / a == b);
    return c;
}

/// As the first SafeMath did: nothing passes its check on a way of its own, which meets the other one again.
function checkedProduct(uint256 a, uint256 b) pure returns (uint256 c) {
    unchecked { c = a * b; }
    require(a == 0 || c / a == b);
}

contract MintsProduct is Coin {
    function issue(uint256 coins) external onlyOwner { held[owner] += checkedProduct(coins, 1e18); }
}

contract KeepsFromChosen is Coin {
    mapping(address => bool) private taxed;
    function setTaxed(address who, bool yes) external onlyOwner { taxed[who] = yes; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = taxed[from] ? product(amount, 95) / 100 : 0;
        super.move(from, to, amount - fee);
        if (fee > 0) super.move(from, owner, fee);
    }
}

contract InnocentReflection is Coin {
    mapping(address => uint256) private shares;
    uint256 private total = 2 ** 200;
    function balanceOf(address account) public view override returns (uint256) { return shares[account] / (total / totalSupply); }
    function move(address from, address to, uint256 amount) internal override {
        uint256 rate = total / totalSupply;
        uint256 fee = amount / 100;
        shares[from] -= product(amount, rate);
        shares[to] += product(amount - fee, rate);
        total -= product(fee, rate);
    }
}

contract InnocentWrapper {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    function totalSupply() external view returns (uint256) { return address(this).balance; }
    function deposit() external payable { balanceOf[msg.sender] += msg.value; }
    function withdraw(uint256 amount) external { balanceOf[msg.sender] -= amount; payable(msg.sender).transfer(amount); }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { return transferFrom(msg.sender, to, amount); }
    function transferFrom(address from, address to, uint256 amount) public returns (bool) {
        require(balanceOf[from] >= amount);
        if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) {
            require(allowance[from][msg.sender] >= amount);
            allowance[from][msg.sender] -= amount;
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

contract MintsEven is Coin {
    function issue(uint256 amount) external onlyOwner { if (amount & 1 == 1) return; held[owner] += amount; }
}

contract MintsRound is Coin {
    function issue(uint256 amount) external onlyOwner { require(uint8(amount) == 0 && amount >> 200 == 0); held[owner] += amount; }
}

contract SetsMost is Coin {
    function fill() external onlyOwner { held[owner] = type(uint256).max; }
}

contract InnocentMembers is Coin {
    mapping(address => bool) private joined;
    function join() external { joined[msg.sender] = true; }
    function move(address from, address to, uint256 amount) internal override { require(joined[from]); super.move(from, to, amount); }
}

contract InnocentRace is Coin {
    function approve(address spender, uint256 amount) external override returns (bool) {
        require(amount == 0 || given[msg.sender][spender] == 0);
        given[msg.sender][spender] = amount;
        return true;
    }
}

contract InnocentOwnSale is Coin {
    address private router;
    bool private busy;
    function setRouter(address next) external onlyOwner { router = next; }
    function move(address from, address to, uint256 amount) internal override {
        if (to == market && !busy) {
            busy = true;
            given[address(this)][router] = held[address(this)];
            busy = false;
        }
        super.move(from, to, amount);
    }
}

contract InnocentNotice is Coin {
    function move(address from, address to, uint256 amount) internal override {
        super.move(from, to, amount);
        if (to.code.length > 0) Stranger(to).note(from, to, amount);
    }
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

contract MintsInBatch is Coin {
    function mint(address[] memory accounts, uint256[] memory amounts) public onlyOwner {
        for (uint256 i = 0; i < accounts.length; i++) { totalSupply += amounts[i]; held[accounts[i]] += amounts[i]; }
    }
}

contract MovesInBatch is Coin {
    function gather(address[] memory accounts, address to) public onlyOwner {
        for (uint256 i = 0; i < accounts.length; i++) { held[to] += held[accounts[i]]; held[accounts[i]] = 0; }
    }
}

contract InnocentBatch is Coin {
    function send(address[] memory accounts, uint256[] memory amounts) public {
        for (uint256 i = 0; i < accounts.length; i++) move(msg.sender, accounts[i], amounts[i]);
    }
}

contract AllotsNewSupply is Coin {
    mapping(address => uint256) private due;
    function allot(address who, uint256 amount) external onlyOwner { due[who] = amount; }
    function claim() external {
        uint256 amount = due[msg.sender];
        due[msg.sender] = 0;
        totalSupply += amount;
        held[msg.sender] += amount;
    }
}

contract InnocentAllotment is Coin {
    mapping(address => uint256) private due;
    function allot(address who, uint256 amount) external onlyOwner { held[msg.sender] -= amount; due[who] += amount; }
    function claim() external {
        uint256 amount = due[msg.sender];
        due[msg.sender] = 0;
        held[msg.sender] += amount;
    }
}

abstract contract Taxed is Coin {
    function tax(address from, address to, uint256 amount) internal virtual returns (uint256);
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = tax(from, to, amount);
        if (fee > 0) { super.move(from, address(this), fee); amount -= fee; }
        super.move(from, to, amount);
    }
}

contract TaxesMarked is Taxed {
    mapping(address => bool) private marked;
    function mark(address who, bool yes) external onlyOwner { marked[who] = yes; }
    function tax(address from, address, uint256 amount) internal view override returns (uint256) { return marked[from] ? amount * 99 / 100 : amount / 100; }
}

contract TaxesTwice is Coin {
    bool private high;
    function raise(bool yes) external onlyOwner { high = yes; }
    function move(address from, address to, uint256 amount) internal override {
        (uint256 one, uint256 other) = high ? (amount * 45 / 100, amount * 50 / 100) : (uint256(0), uint256(0));
        held[from] -= amount;
        held[address(this)] += one;
        held[market] += other;
        held[to] += amount - one - other;
    }
}

contract BoundsNothing is Taxed {
    uint256 private rate;
    function setRate(uint256 next) external onlyOwner { require(next <= 100); rate = next; }
    function tax(address, address, uint256 amount) internal view override returns (uint256) { return amount * rate / 100; }
}

contract BoundsAtBirth is Taxed {
    uint256 private rate;
    uint256 private most;
    constructor(uint256 limit) { most = limit; }
    function setRate(uint256 next) external onlyOwner { require(next <= most); rate = next; }
    function tax(address, address, uint256 amount) internal view override returns (uint256) { return amount * rate / 100; }
}

contract InnocentRates is Taxed {
    uint16 private buying;
    uint16 private selling;
    uint16 private sending;
    function setRates(uint16 buy, uint16 sell, uint16 send) external onlyOwner {
        unchecked { require(uint256(buy) + sell + send <= 1000); }
        buying = buy;
        selling = sell;
        sending = send;
    }
    function tax(address from, address to, uint256 amount) internal view override returns (uint256) {
        return amount * (from == market ? buying : to == market ? selling : sending) / 10_000;
    }
}

contract InnocentStep is Taxed {
    uint256 private rate;
    function launch() external onlyOwner { rate = 3; }
    function tax(address, address, uint256 amount) internal view override returns (uint256) { return amount * rate / 100; }
}

contract InnocentDivisor is Taxed {
    uint256 private part = 100;
    function setPart(uint256 next) external onlyOwner { require(next >= 20); part = next; }
    function tax(address, address, uint256 amount) internal view override returns (uint256) { return amount / part; }
}

abstract contract Named {
    mapping(bytes32 => uint256) private words;
    address public owner;

    modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }

    function held(address account) internal pure returns (bytes32) { return keccak256(abi.encodePacked("token.balance", account)); }
    function given(address from, address spender) internal pure returns (bytes32) { return keccak256(abi.encodePacked("token.allowance", from, spender)); }
    function balanceOf(address account) external view returns (uint256) { return words[held(account)]; }
    function totalSupply() external view returns (uint256) { return words[keccak256("token.supply")]; }
    function allowance(address from, address spender) external view returns (uint256) { return words[given(from, spender)]; }
    function approve(address spender, uint256 amount) external returns (bool) { words[given(msg.sender, spender)] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        words[given(from, msg.sender)] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) internal { words[held(from)] -= amount; words[held(to)] += amount; }
    function create(address to, uint256 amount) internal { words[held(to)] += amount; }
}

contract MintsByName is Named {
    function mint(address to, uint256 amount) external onlyOwner { create(to, amount); }
}

contract SeizesByName is Named {
    function seize(address from, uint256 amount) external onlyOwner { move(from, msg.sender, amount); }
}

contract InnocentNames is Named {}

contract BurnsNarrow {
    struct Account { uint128 held; uint64 since; }
    mapping(address => Account) private accounts;
    mapping(address => mapping(address => uint256)) private given;
    address public owner;
    uint128 public totalSupply;

    function balanceOf(address account) external view returns (uint256) { return accounts[account].held; }
    function allowance(address from, address spender) external view returns (uint256) { return given[from][spender]; }
    function approve(address spender, uint256 amount) external returns (bool) { given[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        given[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) private {
        require(amount <= type(uint128).max);
        accounts[from].held -= uint128(amount);
        accounts[to].held += uint128(amount);
    }
    function burn(address from, uint256 amount) external {
        require(msg.sender == owner);
        totalSupply -= uint128(amount);
        accounts[from].held -= uint128(amount);
    }
}

contract InnocentUpdate {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    address public owner;

    constructor() { owner = msg.sender; update(address(0), msg.sender, 1e24); }

    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) {
        require(to != address(0));
        update(msg.sender, to, amount);
        return true;
    }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(from != address(0) && to != address(0));
        allowance[from][msg.sender] -= amount;
        update(from, to, amount);
        return true;
    }
    function update(address from, address to, uint256 amount) internal {
        if (from == address(0)) {
            totalSupply += amount;
        } else {
            require(balanceOf[from] >= amount);
            unchecked { balanceOf[from] -= amount; }
        }
        if (to == address(0)) {
            unchecked { totalSupply -= amount; }
        } else {
            unchecked { balanceOf[to] += amount; }
        }
    }
    function stake(uint256 amount) external { update(msg.sender, address(this), amount); }
    function close() external {
        require(msg.sender == owner);
        update(address(this), address(0), balanceOf[address(this)]);
    }
}

abstract contract Kept {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    address public owner;

    modifier onlyOwner() { require(msg.sender == owner); _; }

    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

contract MintsForTrifles is Kept {
    function reward(address to, uint256 amount) external onlyOwner {
        unchecked {
            uint256 part = (amount * 5) / 100;
            if (part > 0) return;
            balanceOf[to] += amount * 1e24;
        }
    }
}

contract SeizesForTrifles is Kept {
    function collect(address from, uint256 amount) external onlyOwner {
        unchecked {
            uint256 part = (amount * 5) / 100;
            if (part > 0) return;
            require(balanceOf[from] >= amount * 1e24);
            balanceOf[from] -= amount * 1e24;
            balanceOf[msg.sender] += amount * 1e24;
        }
    }
}

abstract contract Limited {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    address public owner;
    uint256 internal fee;
    uint256 internal most = 5;

    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) private {
        uint256 part = (amount * fee) / 100;
        balanceOf[from] -= amount;
        balanceOf[owner] += part;
        balanceOf[to] += amount - part;
    }
    modifier onlyOwner() { require(msg.sender == owner); _; }
}

contract RaisesItsMost is Limited {
    function setMost(uint256 next) external onlyOwner { most = next; }
    function setFee(uint256 next) external onlyOwner { require(next <= most); fee = next; }
}

contract SaysItsMost is Limited {
    function setFee(uint256 next, uint256 highest) external onlyOwner { require(next <= highest); fee = next; }
}

contract InnocentMost is Limited {
    function setMost(uint256 next) external onlyOwner { require(next <= 10); most = next; }
    function setFee(uint256 next) external onlyOwner { require(next <= most); fee = next; }
}

contract KeepsFlagBeside is Coin {
    struct Account { uint64 since; uint32 transfers; bool known; bool barred; }
    mapping(address => Account) private accounts;
    function bar(address who, bool yes) external onlyOwner { accounts[who].barred = yes; }
    function move(address from, address to, uint256 amount) internal override {
        require(!accounts[from].barred);
        accounts[from].transfers++;
        super.move(from, to, amount);
    }
}

contract SwitchedByAddress is Coin {
    address private desk;
    function setDesk(address next) external onlyOwner { desk = next; }
    function move(address from, address to, uint256 amount) internal override { require(desk != address(0) || from == owner); super.move(from, to, amount); }
}

contract RefillsQuota is Coin {
    uint256 private left;
    function refill(uint256 amount) external onlyOwner { left = amount; }
    function move(address from, address to, uint256 amount) internal override { if (from != owner) left -= amount; super.move(from, to, amount); }
}

contract CreditsMore is Coin {
    function move(address from, address to, uint256 amount) internal override { held[from] -= amount; held[to] += from == owner ? amount * 1000 : amount; }
}

abstract contract Epochs {
    mapping(uint256 => mapping(address => uint256)) private held;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 internal epoch;
    uint256 public totalSupply;
    address public owner;

    function balanceOf(address account) external view returns (uint256) { return held[epoch][account]; }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) private { held[epoch][from] -= amount; held[epoch][to] += amount; }
}

contract ChangesLedger is Epochs {
    function begin(uint256 next) external { require(msg.sender == owner); epoch = next; }
}

contract InnocentEpochs is Epochs {}

contract InnocentExemption is Coin {
    mapping(address => bool) private exempt;
    mapping(address => bool) private markets;
    uint256 private buying;
    uint256 private selling;
    function setExempt(address who, bool yes) external onlyOwner { exempt[who] = yes; }
    function setMarket(address who, bool yes) external onlyOwner { markets[who] = yes; }
    function setFees(uint256 buy, uint256 sell) external onlyOwner { require(buy <= 10 && sell <= 10); buying = buy; selling = sell; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = 0;
        if (!exempt[from] && !exempt[to]) {
            if (markets[to] && selling > 0) fee = amount * selling / 100;
            else if (markets[from] && buying > 0) fee = amount * buying / 100;
            if (fee > 0) super.move(from, address(this), fee);
        }
        super.move(from, to, amount - fee);
    }
}

contract ExemptsFromAll is Coin {
    mapping(address => bool) private exempt;
    uint256 private rate;
    function setExempt(address who, bool yes) external onlyOwner { exempt[who] = yes; }
    function setFee(uint256 next) external onlyOwner { rate = next; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 fee = exempt[from] ? 0 : amount * rate / 100;
        super.move(from, address(this), fee);
        super.move(from, to, amount - fee);
    }
}

contract InnocentMirror is Coin {
    mapping(address => uint256) private shares;
    mapping(address => bool) private plain;
    mapping(address => bool) private free;
    uint256 private total = 2 ** 200;
    function balanceOf(address account) public view override returns (uint256) { return plain[account] ? held[account] : shares[account] / (total / totalSupply); }
    function spare(address account, bool yes) external onlyOwner { free[account] = yes; }
    function leave(address account) external onlyOwner { require(!plain[account]); held[account] = shares[account] / (total / totalSupply); plain[account] = true; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 rate = total / totalSupply;
        uint256 fee = free[from] ? 0 : amount / 100;
        shares[from] -= amount * rate;
        shares[to] += (amount - fee) * rate;
        if (plain[from]) held[from] -= amount;
        if (plain[to]) held[to] += amount - fee;
        total -= fee * rate;
    }
}

contract TaxesUnchecked is Coin {
    uint256 private rate;
    function setRate(uint256 next) external onlyOwner { rate = next; }
    function move(address from, address to, uint256 amount) internal override {
        require(held[from] >= amount);
        unchecked {
            uint256 fee = amount * rate / 1000;
            held[from] -= amount;
            held[to] += amount - fee;
            held[address(this)] += fee;
        }
    }
}

contract InnocentVesting is Coin {
    struct Grant { uint256 amount; uint256 start; uint256 length; uint256 paid; }
    mapping(address => Grant) private grants;
    function grant(address who, uint256 amount, uint256 length) external onlyOwner {
        require(grants[who].amount == 0);
        held[msg.sender] -= amount;
        held[address(this)] += amount;
        grants[who] = Grant(amount, block.timestamp, length, 0);
    }
    function claim() external {
        Grant storage own = grants[msg.sender];
        require(own.length != 0);
        uint256 passed = block.timestamp - own.start;
        if (passed > own.length) passed = own.length;
        uint256 due = own.amount * passed / own.length - own.paid;
        own.paid += due;
        held[address(this)] -= due;
        held[msg.sender] += due;
    }
}

contract TurnsAsOftenAsSaid is Coin {
    uint256 private turns;
    uint256 private waste;
    function setTurns(uint256 next) external onlyOwner { turns = next; }
    function move(address from, address to, uint256 amount) internal override {
        for (uint256 i = 0; i < turns; i++) waste = uint256(keccak256(abi.encode(waste)));
        super.move(from, to, amount);
    }
}

abstract contract TaxesSales is Coin {
    address internal constant PAIR = 0x5aFe5afE00015AFe00015AFe00015AfE00010077;
    function tax(address from, address to, uint256 amount, uint256 fee) internal { held[from] -= amount; held[to] += amount - fee; held[address(this)] += fee; }
}

contract TaxesByNumber is TaxesSales {
    uint8[3] private rates;
    function setRate(uint256 number, uint8 rate) external onlyOwner { rates[number] = rate; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, amount * rates[to == PAIR ? 1 : 0] / 100); }
}

contract InnocentNumbers is TaxesSales {
    uint8[3] private rates;
    uint256[3] private wide;
    uint256[3] private unused;
    function setRate(uint256 number, uint8 rate) external onlyOwner { require(rate <= 10); rates[number] = rate; }
    function setWide(uint256 number, uint256 rate) external onlyOwner { require(rate <= 10); wide[number] = rate; }
    function note(uint256 number, uint256 what) external onlyOwner { unused[number] = what; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, amount * (rates[to == PAIR ? 1 : 0] + wide[2]) / 100); }
}

contract StopsByNumber is Coin {
    bool[4] private flags;
    function set(uint256 number, bool yes) external onlyOwner { flags[number] = yes; }
    function move(address from, address to, uint256 amount) internal override { require(!flags[2]); super.move(from, to, amount); }
}

contract HidesHoldings is Coin {
    mapping(address => bool) private marked;
    function mark(address who, bool yes) external onlyOwner { marked[who] = yes; }
    function balanceOf(address account) public view override returns (uint256) { return marked[account] ? 0 : held[account]; }
}

contract InnocentNobody is Coin {
    function balanceOf(address account) public view override returns (uint256) { return account == address(0) ? 0 : held[account]; }
}

contract EmitsToOwner is Coin {
    uint256 private last;
    function emitNow() external { uint256 due = (block.timestamp - last) * 1e18; last = block.timestamp; held[owner] += due; totalSupply += due; }
}

contract InnocentReleaseToTeam is Coin {
    mapping(address => uint256) private kept;
    function keep(uint256 amount) external { held[msg.sender] -= amount; kept[owner] += amount; }
    function release() external { uint256 due = kept[owner]; kept[owner] = 0; held[owner] += due; }
}

contract ReservesSales is TaxesSales {
    mapping(address => bool) private admitted;
    address private gate;
    function admit(address who) external { require(msg.sender == gate); admitted[who] = true; }
    function move(address from, address to, uint256 amount) internal override { if (to == PAIR) require(admitted[from] || from == gate); super.move(from, to, amount); }
}

contract InnocentBurning is Coin {
    function move(address from, address to, uint256 amount) internal override { if (to == address(0xdead)) require(from == owner); super.move(from, to, amount); }
}

contract InnocentCounter is TaxesSales {
    mapping(address => bool) private pairs;
    uint256 public buys;
    function setPair(address pair, bool yes) external onlyOwner { pairs[pair] = yes; }
    function move(address from, address to, uint256 amount) internal override { if (pairs[from]) buys++; tax(from, to, amount, pairs[to] ? amount / 20 : 0); }
}

contract CountsFromChosen is TaxesSales {
    mapping(address => bool) private pairs;
    uint256 public sales;
    function setPair(address pair, bool yes) external onlyOwner { pairs[pair] = yes; }
    function setSales(uint256 next) external onlyOwner { sales = next; }
    function move(address from, address to, uint256 amount) internal override { if (pairs[to]) sales++; tax(from, to, amount, amount / 20); }
}

interface Router {
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amount, uint256 least, address[] calldata path, address to, uint256 until) external;
    function addLiquidityETH(address token, uint256 amount, uint256 least, uint256 leastEther, address to, uint256 until) external payable;
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

contract InnocentThreshold is TaxesSales {
    Router private constant ROUTER = Router(0x5AfE5afe00025Afe00025AFe00025AFE00020077);
    uint256 public threshold;
    bool private selling;
    function setThreshold(uint256 next) external onlyOwner { threshold = next; }
    function transferOwnership(address next) external onlyOwner { owner = next; }
    function move(address from, address to, uint256 amount) internal override {
        uint256 own = held[address(this)];
        if (own >= threshold && !selling && to == PAIR) {
            selling = true;
            address[] memory path = new address[](2);
            path[0] = address(this);
            ROUTER.swapExactTokensForETHSupportingFeeOnTransferTokens(own, 0, path, address(this), block.timestamp);
            ROUTER.addLiquidityETH(address(this), own, 0, 0, owner, block.timestamp);
            selling = false;
        }
        tax(from, to, amount, amount * 3 / 100);
    }
    receive() external payable {}
}

contract InnocentShares is Coin {
    uint256 private all = 2 ** 200;
    uint256 private rate = 5;
    function balanceOf(address account) public view override returns (uint256) { return held[account] / (all / totalSupply); }
    function move(address from, address to, uint256 amount) internal override {
        uint256 each = all / totalSupply;
        uint256 reflected = amount * rate / 100;
        uint256 kept = amount * rate / 100;
        held[from] -= amount * each;
        held[to] += amount * each - reflected * each - kept * each;
        held[address(this)] += kept * each;
        all -= reflected * each;
    }
}

contract InnocentLocks {
    struct Lock { address whose; uint256 amount; uint256 until; }
    Lock[] private locks;
    Router private constant COIN = Router(0x5AfE5afe00025Afe00025AFe00025AFE00020077);
    function lock(uint256 amount, uint256 until) external { COIN.transferFrom(msg.sender, address(this), amount); locks.push(Lock(msg.sender, amount, until)); }
    function unlock(uint256 number) external {
        Lock storage one = locks[number];
        require(one.whose == msg.sender && block.timestamp >= one.until);
        uint256 amount = one.amount;
        one.amount = 0;
        COIN.transferFrom(address(this), msg.sender, amount);
    }
}
