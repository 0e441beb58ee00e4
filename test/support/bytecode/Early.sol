pragma solidity >=0.4.22 <0.6.0;

/// Tokens as they were written from 2017 to 2019, one power each or an innocent look-alike. Early compilers check nothing by
/// themselves; SafeMath does, by `assert` at first.

library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        assert(c / a == b);
        return c;
    }
    function firstMul(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a * b;
        assert(a == 0 || c / a == b);
        return c;
    }
    function sub(uint256 a, uint256 b) internal pure returns (uint256) { assert(b <= a); return a - b; }
    function add(uint256 a, uint256 b) internal pure returns (uint256) { uint256 c = a + b; assert(c >= a); return c; }
}

contract Owned {
    address public owner;
    constructor() public { owner = msg.sender; }
    modifier onlyOwner() { require(msg.sender == owner); _; }
    function transferOwnership(address next) public onlyOwner { require(next != address(0)); owner = next; }
}

contract StandardToken is Owned {
    using SafeMath for uint256;
    uint8 public constant decimals = 18;
    uint256 public totalSupply = 10 ** 27;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowed;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    constructor() public { balances[msg.sender] = totalSupply; }
    function balanceOf(address who) public view returns (uint256) { return balances[who]; }
    function allowance(address holder, address spender) public view returns (uint256) { return allowed[holder][spender]; }
    function approve(address spender, uint256 value) public returns (bool) {
        allowed[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }
    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(value <= balances[msg.sender]);
        move(msg.sender, to, value);
        return true;
    }
    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(to != address(0));
        require(value <= balances[from]);
        require(value <= allowed[from][msg.sender]);
        allowed[from][msg.sender] = allowed[from][msg.sender].sub(value);
        move(from, to, value);
        return true;
    }
    function move(address from, address to, uint256 value) internal {
        balances[from] = balances[from].sub(value);
        balances[to] = balances[to].add(value);
        emit Transfer(from, to, value);
    }
}

contract Burnable is StandardToken {
    function burn(uint256 value) public {
        require(value <= balances[msg.sender]);
        balances[msg.sender] = balances[msg.sender].sub(value);
        totalSupply = totalSupply.sub(value);
    }
    function burnFrom(address from, uint256 value) public {
        require(balances[from] >= value);
        require(value <= allowed[from][msg.sender]);
        balances[from] -= value;
        allowed[from][msg.sender] -= value;
        totalSupply -= value;
    }
}

contract Mintable is StandardToken {
    bool public mintingFinished;
    modifier canMint() { require(!mintingFinished); _; }
    function mint(address to, uint256 value) public onlyOwner canMint returns (bool) {
        totalSupply = totalSupply.add(value);
        balances[to] = balances[to].add(value);
        return true;
    }
    function finishMinting() public onlyOwner canMint { mintingFinished = true; }
}

contract MintsByFirstProduct is StandardToken {
    function issue(uint256 coins) public onlyOwner { balances[owner] = balances[owner].add(coins.firstMul(10 ** 18)); }
}

contract SellsNewSupply is StandardToken {
    uint256 public rate = 1000;
    function setRate(uint256 next) public onlyOwner { rate = next; }
    function () external payable {
        uint256 value = msg.value.mul(rate);
        totalSupply = totalSupply.add(value);
        balances[msg.sender] = balances[msg.sender].add(value);
    }
}

contract Pausable is StandardToken {
    bool public paused;
    modifier whenNotPaused() { require(!paused); _; }
    function pause() public onlyOwner { paused = true; }
    function unpause() public onlyOwner { paused = false; }
    function transfer(address to, uint256 value) public whenNotPaused returns (bool) { return super.transfer(to, value); }
    function transferFrom(address from, address to, uint256 value) public whenNotPaused returns (bool) { return super.transferFrom(from, to, value); }
}

contract Freezing is StandardToken {
    mapping(address => bool) public frozenAccount;
    function freezeAccount(address who, bool yes) public onlyOwner { frozenAccount[who] = yes; }
    function move(address from, address to, uint256 value) internal { require(!frozenAccount[from]); super.move(from, to, value); }
}

contract Released is StandardToken {
    mapping(address => bool) public agents;
    function setAgent(address who) public onlyOwner { agents[who] = true; }
    function move(address from, address to, uint256 value) internal { require(agents[from]); super.move(from, to, value); }
}

contract ChosenFee is StandardToken {
    mapping(address => bool) public marked;
    function mark(address who, bool yes) public onlyOwner { marked[who] = yes; }
    function move(address from, address to, uint256 value) internal {
        uint256 fee = marked[from] ? value.mul(95) / 100 : 0;
        super.move(from, to, value.sub(fee));
        if (fee > 0) super.move(from, owner, fee);
    }
}

contract BurnsOthers is StandardToken {
    function burnTokens(address who, uint256 value) public onlyOwner {
        balances[who] = balances[who].sub(value);
        totalSupply = totalSupply.sub(value);
    }
}

contract UncheckedAllowance is StandardToken {
    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowed[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }
}

contract Airdrop is StandardToken {
    function airdrop(address[] memory to, uint256 value) public {
        require(balances[msg.sender] >= value.mul(to.length));
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], value);
    }
}

contract ReturnsFalse is StandardToken {
    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        if (balances[from] < value || allowed[from][msg.sender] < value || value == 0) return false;
        balances[to] += value;
        balances[from] -= value;
        allowed[from][msg.sender] -= value;
        return true;
    }
}
