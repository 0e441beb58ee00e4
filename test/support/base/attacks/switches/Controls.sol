// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin, Told, Transfers } from "../../../solidity/Coin.sol";
import { SeededCoin } from "../../../solidity/Seeded.sol";

// Honest coins in the shapes that common libraries give them. Nobody has a power over any of them.

interface Errors {
  error Short(uint256 has, uint256 needs);
  error NoReceiver();
}

abstract contract Named {
  string public constant name = "Juniper road";
  string public constant symbol = "JNPRD";
  uint8 public constant decimals = 18;
}

/// Checked arithmetic on plain mappings.
contract PlainStyle is Named, OpenCoin {
  constructor() {
    birth(msg.sender, 4e26);
  }

  function transfer(address to, uint256 value) external override returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    allowance[from][msg.sender] -= value;
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
    return true;
  }
}

/// One internal function updates balances and supply, errors carry numbers, an endless allowance is never lowered.
contract UpdateStyle is Named, Errors, Told, Transfers {
  mapping(address => uint256) internal _balances;
  mapping(address => mapping(address => uint256)) internal _allowances;
  uint256 internal _supply;

  constructor() {
    _update(address(0), msg.sender, 4e26);
  }

  function totalSupply() external view returns (uint256) {
    return _supply;
  }

  function balanceOf(address account) external view returns (uint256) {
    return _balances[account];
  }

  function allowance(address owner_, address spender) external view returns (uint256) {
    return _allowances[owner_][spender];
  }

  function approve(address spender, uint256 value) external returns (bool) {
    if (spender == address(0)) revert NoReceiver();
    _allowances[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    uint256 allowed = _allowances[from][msg.sender];
    if (allowed != type(uint256).max) {
      if (allowed < value) revert Short(allowed, value);
      unchecked {
        _allowances[from][msg.sender] = allowed - value;
      }
    }
    pay(from, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    if (from == address(0) || to == address(0)) revert NoReceiver();
    _update(from, to, value);
  }

  function _update(address from, address to, uint256 value) internal {
    if (from == address(0)) {
      _supply += value;
    } else {
      uint256 has = _balances[from];
      if (has < value) revert Short(has, value);
      unchecked {
        _balances[from] = has - value;
      }
    }
    if (to == address(0)) {
      unchecked {
        _supply -= value;
      }
    } else {
      unchecked {
        _balances[to] += value;
      }
    }
    emit Transfer(from, to, value);
  }
}

/// Storage in a namespace of its own.
contract NamespacedStyle is Named, Told, Transfers {
  struct Store {
    mapping(address => uint256) balances;
    mapping(address => mapping(address => uint256)) allowances;
    uint256 supply;
  }

  bytes32 private constant PLACE = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00;

  constructor() {
    _store().supply = 4e26;
    _store().balances[msg.sender] = 4e26;
    emit Transfer(address(0), msg.sender, 4e26);
  }

  function _store() private pure returns (Store storage store) {
    assembly {
      store.slot := PLACE
    }
  }

  function totalSupply() external view returns (uint256) {
    return _store().supply;
  }

  function balanceOf(address account) external view returns (uint256) {
    return _store().balances[account];
  }

  function allowance(address owner_, address spender) external view returns (uint256) {
    return _store().allowances[owner_][spender];
  }

  function approve(address spender, uint256 value) external returns (bool) {
    _store().allowances[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    _store().allowances[from][msg.sender] -= value;
    pay(from, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) internal override {
    Store storage store = _store();
    store.balances[from] -= value;
    store.balances[to] += value;
    emit Transfer(from, to, value);
  }
}

/// Approvals by signature.
contract PermitStyle is UpdateStyle {
  bytes32 private constant TYPE =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  mapping(address => uint256) public nonces;

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return
      keccak256(
        abi.encode(
          keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
          keccak256(bytes(name)),
          keccak256("1"),
          block.chainid,
          address(this)
        )
      );
  }

  function permit(
    address owner_,
    address spender,
    uint256 value,
    uint256 deadline,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    require(deadline >= block.timestamp, "late");
    bytes32 data = keccak256(abi.encode(TYPE, owner_, spender, value, nonces[owner_]++, deadline));
    address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), data)), v, r, s);
    require(signer != address(0) && signer == owner_, "not signed");
    _allowances[owner_][spender] = value;
    emit Approval(owner_, spender, value);
  }
}

/// Transfers written in assembly over mappings.
contract AssemblyStyle is Named, OpenCoin {
  constructor() {
    birth(msg.sender, 4e26);
  }

  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    pay(from, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) internal override {
    assembly {
      mstore(0, from)
      mstore(32, balanceOf.slot)
      let place := keccak256(0, 64)
      let has := sload(place)
      if lt(has, value) {
        revert(0, 0)
      }
      sstore(place, sub(has, value))
      mstore(0, to)
      place := keccak256(0, 64)
      sstore(place, add(sload(place), value))
    }
    emit Transfer(from, to, value);
  }
}

/// Holders may destroy what is theirs.
contract BurnableStyle is UpdateStyle {
  function burn(uint256 value) external {
    _update(msg.sender, address(0), value);
  }

  function burnFrom(address account, uint256 value) external {
    uint256 allowed = _allowances[account][msg.sender];
    if (allowed < value) revert Short(allowed, value);
    unchecked {
      _allowances[account][msg.sender] = allowed - value;
    }
    _update(account, address(0), value);
  }
}

/// An owner who can do nothing but go.
contract OwnedStyle is UpdateStyle {
  address public owner = msg.sender;

  event OwnershipTransferred(address indexed from, address indexed to);

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }

  function transferOwnership(address to) external onlyOwner {
    require(to != address(0));
    emit OwnershipTransferred(owner, to);
    owner = to;
  }

  function renounceOwnership() external onlyOwner {
    emit OwnershipTransferred(owner, address(0));
    owner = address(0);
  }
}

/// Opened for good, limits taken off, and the owner gone, whose place shares a word with a flag.
contract LimitedStyle is UpdateStyle {
  address public owner = msg.sender;
  bool public isOpen;
  uint256 public most = 8e24;
  mapping(address => bool) public exempt;
  mapping(address => bool) public shutOut;

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }

  constructor() {
    exempt[msg.sender] = true;
  }

  function open() external onlyOwner {
    isOpen = true;
  }

  function removeLimits() external onlyOwner {
    most = _supply;
  }

  function shut(address account, bool is_) external onlyOwner {
    shutOut[account] = is_;
  }

  function renounceOwnership() external onlyOwner {
    owner = address(0);
  }

  function pay(address from, address to, uint256 value) internal override {
    if (!exempt[from] && !exempt[to]) {
      require(isOpen, "not open");
      require(value <= most, "too much");
      require(!shutOut[from] && !shutOut[to], "shut out");
    }
    super.pay(from, to, value);
  }
}

/// Two percent of purchases and four of sales for a treasury, a list that nobody is on, and the owner gone.
contract TaxedStyle is UpdateStyle {
  address public owner = msg.sender;
  address public treasury = msg.sender;
  address public pair;
  uint256 public buyFee = 2;
  uint256 public sellFee = 4;
  mapping(address => bool) public shutOut;

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }

  function setPair(address at) external onlyOwner {
    pair = at;
  }

  function setFees(uint256 buy, uint256 sell) external onlyOwner {
    (buyFee, sellFee) = (buy, sell);
  }

  function shut(address account, bool is_) external onlyOwner {
    shutOut[account] = is_;
  }

  function renounceOwnership() external onlyOwner {
    owner = address(0);
  }

  function pay(address from, address to, uint256 value) internal override {
    require(!shutOut[from] && !shutOut[to], "shut out");
    uint256 rate = from == pair ? buyFee : to == pair ? sellFee : 0;
    uint256 share = (value * rate) / 100;
    if (share > 0) super.pay(from, treasury, share);
    super.pay(from, to, value - share);
  }
}

/// The same, but whoever is paid doubles what sales cost.
contract TaxedAgain is TaxedStyle {
  function raise() external {
    require(msg.sender == treasury);
    sellFee *= 2;
  }
}

/// Three percent of what pools on a list give and take, but for accounts on another, and the owner gone.
contract ListedStyle is UpdateStyle {
  address public owner = msg.sender;
  address internal immutable treasury = msg.sender;
  mapping(address => bool) public isPair;
  mapping(address => bool) public isExempt;

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }

  constructor() {
    isExempt[msg.sender] = true;
  }

  function setPair(address at) external onlyOwner {
    isPair[at] = true;
  }

  function exempt(address account, bool is_) external onlyOwner {
    isExempt[account] = is_;
  }

  function renounceOwnership() external onlyOwner {
    owner = address(0);
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    uint256 share;
    if ((isPair[from] || isPair[to]) && !isExempt[from] && !isExempt[to]) share = (value * 3) / 100;
    if (share > 0) super.pay(from, treasury, share);
    super.pay(from, to, value - share);
  }
}

/// Of what pools give and take one percent is destroyed and two go to a treasury, and the owner gone.
contract SharedOutStyle is ListedStyle {
  function pay(address from, address to, uint256 value) internal override {
    if ((isPair[from] || isPair[to]) && !isExempt[from] && !isExempt[to]) {
      uint256 burned = value / 100;
      uint256 share = (value * 2) / 100;
      UpdateStyle.pay(from, address(0xdead), burned);
      UpdateStyle.pay(from, treasury, share);
      value = value - burned - share;
    }
    UpdateStyle.pay(from, to, value);
  }
}

/// Trading begins at a date that the code fixes, and costs a tenth in its first minutes.
contract DatedStyle is UpdateStyle {
  uint256 internal immutable begins = block.timestamp + 60;
  address internal immutable maker = msg.sender;

  function pay(address from, address to, uint256 value) internal virtual override {
    if (from == maker) return super.pay(from, to, value);
    require(block.timestamp >= begins, "not begun");
    uint256 share = block.timestamp < begins + 10 minutes ? value / 10 : 0;
    if (share > 0) super.pay(from, maker, share);
    super.pay(from, to, value - share);
  }
}

/// Trading begins at a date that its maker moves until it has come.
contract MovedStyle is UpdateStyle {
  uint256 internal begins = block.timestamp + 60;
  address internal immutable maker = msg.sender;

  function begin(uint256 at) external virtual {
    require(msg.sender == maker && block.timestamp < begins, "begun");
    begins = at;
  }

  function pay(address from, address to, uint256 value) internal virtual override {
    require(from == maker || block.timestamp >= begins, "not begun");
    super.pay(from, to, value);
  }
}

/// Keeps balances, allowances and the owner where Solady keeps them.
contract SeededStyle is Named, SeededCoin {}
