// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// More ways of harming holders, or innocent look-alikes, told by what is paid for and what is bounded.

interface Other {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

abstract contract Money {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 10 ** 27;
    address public owner;

    modifier onlyOwner() { require(msg.sender == owner); _; }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) internal virtual { balanceOf[from] -= amount; balanceOf[to] += amount; }
    function issue(address to, uint256 amount) internal { totalSupply += amount; balanceOf[to] += amount; }
    /// As libraries do, whether the other token answers or not.
    function take(Other token, uint256 amount) internal {
        (bool done, bytes memory said) = address(token).call(abi.encodeCall(Other.transferFrom, (msg.sender, address(this), amount)));
        require(done && (said.length == 0 || abi.decode(said, (bool))));
    }
    function burn(address from, uint256 amount) internal { balanceOf[from] -= amount; totalSupply -= amount; }
}

abstract contract Wraps is Money {
    Other internal inner;
    constructor(Other other) { inner = other; }
    function withdraw(uint256 amount) external { burn(msg.sender, amount); require(inner.transfer(msg.sender, amount)); }
}

abstract contract InnerFixed is Money {
    Other internal constant INNER = Other(0x5AfE5afe00025Afe00025AFe00025AFE00020077);
}

contract InnocentWraps is Wraps {
    constructor(Other other) Wraps(other) {}
    function deposit(address to, uint256 amount) external { take(inner, amount); issue(to, amount); }
}

contract InnocentUnits is InnerFixed {
    function deposit(uint256 amount) external { issue(msg.sender, amount * 1000); take(INNER, amount); }
}

contract InnocentVault is InnerFixed {
    function enter(uint256 amount) external {
        uint256 whole = INNER.balanceOf(address(this));
        issue(msg.sender, totalSupply == 0 || whole == 0 ? amount : (amount * totalSupply) / whole);
        take(INNER, amount);
    }
    function leave(uint256 shares) external {
        uint256 amount = (shares * INNER.balanceOf(address(this))) / totalSupply;
        burn(msg.sender, shares);
        require(INNER.transfer(msg.sender, amount));
    }
}

contract InnocentSwap is InnerFixed {
    function swap() external {
        uint256 amount = INNER.balanceOf(msg.sender);
        require(INNER.transferFrom(msg.sender, address(0xdead), amount));
        issue(msg.sender, amount);
    }
}

contract InnocentDues is InnerFixed {
    mapping(address => bool) public isMember;
    function join() external { require(INNER.transferFrom(msg.sender, owner, 10 ** 18)); isMember[msg.sender] = true; }
}

contract WrapsChosen is Wraps {
    constructor(Other other) Wraps(other) {}
    function choose(Other other) external onlyOwner { inner = other; }
    function deposit(uint256 amount) external { take(inner, amount); issue(msg.sender, amount); }
}

contract WrapsAny is Money {
    function deposit(Other other, uint256 amount) external { take(other, amount); issue(msg.sender, amount); }
}

contract WrapsLess is InnerFixed {
    function deposit(uint256 amount, uint256 shares) external { take(INNER, amount); issue(msg.sender, shares); }
}

contract WrapsUnasked is InnerFixed {
    function deposit(uint256 amount) external {
        address(INNER).call(abi.encodeCall(Other.transferFrom, (msg.sender, address(this), amount)));
        issue(msg.sender, amount);
    }
}

contract WrapsBackToSender is InnerFixed {
    function deposit(uint256 amount) external { require(INNER.transferFrom(msg.sender, msg.sender, amount)); issue(msg.sender, amount); }
}

contract WrapsForProject is InnerFixed {
    function deposit(uint256 amount) external { require(INNER.transferFrom(msg.sender, owner, amount)); issue(msg.sender, amount); }
}

contract WrapsFreeForOne is InnerFixed {
    function deposit(uint256 amount) external { if (msg.sender != owner) take(INNER, amount); issue(msg.sender, amount); }
}

contract PassesByPayment is InnerFixed {
    function enter() external { require(INNER.transferFrom(msg.sender, address(this), 1)); issue(msg.sender, 10 ** 30); }
}

/// The most that may be moved at once.
abstract contract Most is Money {
    uint256 internal most = 10 ** 25;
    function move(address from, address to, uint256 amount) internal virtual override { require(amount <= most); super.move(from, to, amount); }
}

contract InnocentFloor is Most {
    function setMost(uint256 next) external onlyOwner { require(next >= (totalSupply / 1000) / 1e18); most = next * 1e18; }
    function lift() external onlyOwner { most = totalSupply; }
}

contract InnocentPercent is Most {
    function setMost(uint256 percent) external onlyOwner { require(percent >= 1 && percent <= 100); most = (totalSupply * percent) / 100; }
}

contract InnocentHoldings is Money {
    address private constant PAIR = 0x5AfE5afe00025Afe00025AFe00025AFE00020077;
    uint256 private most = 10 ** 25;
    function setMost(uint256 next) external onlyOwner { require(next >= totalSupply / 200); most = next; }
    function move(address from, address to, uint256 amount) internal override {
        if (to != PAIR) require(balanceOf[to] + amount <= most);
        super.move(from, to, amount);
    }
}

contract BoundsPoolsHoldings is Money {
    uint256 private most = 10 ** 25;
    function setMost(uint256 next) external onlyOwner { require(next >= totalSupply / 200); most = next; }
    function move(address from, address to, uint256 amount) internal override { require(balanceOf[to] + amount <= most); super.move(from, to, amount); }
}

contract LeavesDustToSell is Most {
    function setMost(uint256 next) external onlyOwner { require(next >= totalSupply / 10 ** 24); most = next; }
}

contract WrapsTheMost is Most {
    function setMost(uint256 next) external onlyOwner { unchecked { require(next >= totalSupply / 1000 / 1e18); most = next * 1e18; } }
}

contract BoundsAnother is Most {
    function setMost(uint256 next, uint256 other) external onlyOwner { require(other >= totalSupply / 1000); most = next; }
}

contract BoundsTheLeast is Money {
    uint256 private least;
    function setLeast(uint256 next) external onlyOwner { require(next >= totalSupply / 1000); least = next; }
    function move(address from, address to, uint256 amount) internal override { require(amount >= least); super.move(from, to, amount); }
}

abstract contract Taxes is Money {
    uint256 internal fee = 6;
    function tax(address from, address to, uint256 amount, uint256 part) internal { super.move(from, to, amount - part); super.move(from, owner, part); }
}

contract InnocentShift is Taxes {
    function setFee(uint256 next) external onlyOwner { require(next >= 2); fee = next; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, amount >> fee); }
}

contract ShiftsByNothing is Taxes {
    function setFee(uint256 next) external onlyOwner { fee = next; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, amount >> fee); }
}

contract TaxesInParts is Taxes {
    function setFee(uint256 next) external onlyOwner { require(next <= 256); fee = next; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, (amount * fee) >> 8); }
}

contract InnocentPutAside is Taxes {
    uint256 private before;
    mapping(address => bool) private exempt;
    function setFee(uint256 next) external onlyOwner { require(next <= 10); fee = next; }
    function free(address who, bool yes) external onlyOwner { exempt[who] = yes; }
    function move(address from, address to, uint256 amount) internal override {
        if (exempt[from]) { if (fee != 0) { before = fee; fee = 0; } }
        tax(from, to, amount, (amount * fee) / 100);
        if (exempt[from]) fee = before;
    }
}

contract PutsAsideMore is Taxes {
    uint256 private before;
    function setFee(uint256 next) external onlyOwner { require(next <= 10); fee = next; }
    function setBefore(uint256 next) external onlyOwner { before = next; }
    function restore() external onlyOwner { fee = before; }
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, (amount * fee) / 100); }
}

abstract contract Many is Money {
    function spread(address[] calldata to, uint256 each, uint256 all) internal {
        unchecked {
            require(each > 0 && balanceOf[msg.sender] >= all);
            balanceOf[msg.sender] -= all;
            for (uint256 i = 0; i < to.length; i++) balanceOf[to[i]] += each;
        }
    }
}

contract WrapsWhatIsTaken is Many {
    function send(address[] calldata to, uint256 each) external { unchecked { require(to.length <= 20); spread(to, each, to.length * each); } }
}

contract InnocentMany is Many {
    function send(address[] calldata to, uint256 each) external { spread(to, each, to.length * each); }
}

/// Balances in a list, each found by its number.
abstract contract Numbered {
    uint256[] internal held = [0];
    mapping(address => uint256) private number;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 10 ** 27;
    address public owner;

    function at(address who) internal returns (uint256 n) {
        n = number[who];
        if (n == 0) { n = held.length; held.push(0); number[who] = n; }
    }
    function balanceOf(address who) external view returns (uint256) { return held[number[who]]; }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }
    function move(address from, address to, uint256 amount) internal { held[number[from]] -= amount; held[at(to)] += amount; }
}

contract InnocentNumbered is Numbered {}

contract MintsByPlace is Numbered {
    function issue(address to, uint256 amount) external { require(msg.sender == owner); totalSupply += amount; held[at(to)] += amount; }
}

contract SeizesByPlace is Numbered {
    function seize(address from, uint256 amount) external { require(msg.sender == owner); move(from, owner, amount); }
}

/// Compilers shift for powers of two.
contract InnocentSixteenth is Taxes {
    function move(address from, address to, uint256 amount) internal override { tax(from, to, amount, amount / 16); }
}

contract DoublesWhatArrives is Money {
    bool private on;
    function set(bool yes) external onlyOwner { on = yes; }
    function move(address from, address to, uint256 amount) internal override { balanceOf[from] -= amount; balanceOf[to] += on ? amount * 2 : amount; }
}

abstract contract Waits is Money {
    uint256 internal wait = 60;
    mapping(address => uint256) private last;
    function move(address from, address to, uint256 amount) internal override {
        require(last[from] + wait <= block.timestamp);
        last[from] = block.timestamp;
        super.move(from, to, amount);
    }
}

contract InnocentWait is Waits {
    function setWait(uint256 next) external onlyOwner { require(next <= 300); wait = next; }
}

contract WaitsForYears is Waits {
    function setWait(uint256 next) external onlyOwner { require(next <= 3650 days); wait = next; }
}

/// What a contract that is no token orders a vault to pay, at a rate that somebody sets.
interface Vault { function pay(address to, uint256 amount) external; }

contract PaysAtItsRate {
    Vault private constant VAULT = Vault(0x5AfE5afe00025Afe00025AFe00025AFE00020077);
    mapping(address => uint256) public shares;
    uint256 private rate = 3;
    address private owner = msg.sender;
    function setRate(uint256 next) external { require(msg.sender == owner); rate = next; }
    function enter() external payable { shares[msg.sender] += msg.value; }
    function leave() external { uint256 due = (shares[msg.sender] * rate) / 100; shares[msg.sender] = 0; VAULT.pay(msg.sender, due); }
}
