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
