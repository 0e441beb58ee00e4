// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A plain ERC-20 whose whole supply goes to the deployer. The tokens below each add one behaviour.
contract PlainToken {
  string public name;
  string public symbol;
  uint8 public constant decimals = 18;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  constructor(string memory tokenName, string memory tokenSymbol, uint256 supply) {
    name = tokenName;
    symbol = tokenSymbol;
    _create(msg.sender, supply);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    _transfer(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    require(allowed >= value, "ERC20: insufficient allowance");
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _transfer(from, to, value);
    return true;
  }

  function _transfer(address from, address to, uint256 value) internal virtual {
    _move(from, to, value);
  }

  function _move(address from, address to, uint256 value) internal {
    require(to != address(0), "ERC20: transfer to the zero address");
    require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
    unchecked {
      balanceOf[from] -= value;
      balanceOf[to] += value;
    }
    emit Transfer(from, to, value);
  }

  function _create(address to, uint256 value) internal {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }
}

abstract contract OwnedToken is PlainToken {
  address public owner = msg.sender;

  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

  modifier onlyOwner() {
    require(msg.sender == owner, "Ownable: caller is not the owner");
    _;
  }

  function transferOwnership(address newOwner) public onlyOwner {
    emit OwnershipTransferred(owner, newOwner);
    owner = newOwner;
  }

  function renounceOwnership() external {
    transferOwnership(address(0));
  }
}

/// Nothing an owner could do even before renouncing.
contract CleanToken is OwnedToken {
  constructor(string memory n, string memory s, uint256 supply) PlainToken(n, s, supply) {}
}

/// The owner can create tokens at will.
contract MintableToken is OwnedToken {
  constructor(string memory n, string memory s, uint256 supply) PlainToken(n, s, supply) {}

  function mint(address to, uint256 value) external onlyOwner {
    _create(to, value);
  }
}

/// Sells to the pair pay a fee that the owner can set up to 100 %.
contract FeeToken is OwnedToken {
  uint256 public sellFeeBps = 1200;
  address public pair;

  constructor(string memory n, string memory s, uint256 supply) PlainToken(n, s, supply) {}

  function setPair(address newPair) external onlyOwner {
    pair = newPair;
  }

  function setSellFee(uint256 bps) external onlyOwner {
    require(bps <= 10_000, "fee above 100 %");
    sellFeeBps = bps;
  }

  function _transfer(address from, address to, uint256 value) internal override {
    uint256 fee = to == pair && from != owner ? (value * sellFeeBps) / 10_000 : 0;
    if (fee > 0) _move(from, owner, fee);
    _move(from, to, value - fee);
  }
}

/// Everyone can buy, only whitelisted accounts can sell.
contract HoneypotToken is OwnedToken {
  address public pair;
  mapping(address => bool) public canSell;

  constructor(string memory n, string memory s, uint256 supply) PlainToken(n, s, supply) {
    canSell[msg.sender] = true;
  }

  function setPair(address newPair) external onlyOwner {
    pair = newPair;
  }

  function setCanSell(address account, bool value) external onlyOwner {
    canSell[account] = value;
  }

  function _transfer(address from, address to, uint256 value) internal override {
    require(to != pair || canSell[from], "transfer not allowed");
    _move(from, to, value);
  }
}

/// The owner can stop single accounts from sending and receiving.
contract BlacklistToken is OwnedToken {
  mapping(address => bool) public isBlacklisted;

  constructor(string memory n, string memory s, uint256 supply) PlainToken(n, s, supply) {}

  function blacklist(address account, bool value) external onlyOwner {
    isBlacklisted[account] = value;
  }

  function _transfer(address from, address to, uint256 value) internal override {
    require(!isBlacklisted[from] && !isBlacklisted[to], "blacklisted");
    _move(from, to, value);
  }
}
