// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An ordinary coin without powers. What is wrong with the traps of this set is the hook of its pool.
contract Coin {
  string public constant name = "Hooked";
  string public constant symbol = "HOOKD";
  uint8 public constant decimals = 18;
  uint256 public constant totalSupply = 4e26;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  constructor() {
    balanceOf[msg.sender] = totalSupply;
    emit Transfer(address(0), msg.sender, totalSupply);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    return _move(msg.sender, to, value);
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    return _move(from, to, value);
  }

  function _move(address from, address to, uint256 value) private returns (bool) {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
    return true;
  }
}

struct PoolKey {
  address currency0;
  address currency1;
  uint24 fee;
  int24 tickSpacing;
  address hooks;
}

struct SwapParams {
  bool zeroForOne;
  int256 amountSpecified;
  uint160 sqrtPriceLimitX96;
}

struct Liquidity {
  int24 tickLower;
  int24 tickUpper;
  int256 liquidityDelta;
  bytes32 salt;
}

interface IManager {
  function take(address currency, address to, uint256 amount) external;
  function mint(address to, uint256 id, uint256 amount) external;
  function updateDynamicLPFee(PoolKey calldata key, uint24 fee) external;
  function extsload(bytes32 slot) external view returns (bytes32);
}

/// What hooks share: the callbacks as the PoolManager makes them.
abstract contract Hook {
  IManager internal constant MANAGER = IManager(0x498581fF718922c3f8e6A244956aF099B2652b2b);
  uint24 internal constant OVERRIDE = 0x400000;

  modifier onlyManager() {
    require(msg.sender == address(MANAGER), "not the manager");
    _;
  }

  receive() external payable {}

  function beforeSwap(
    address sender,
    PoolKey calldata key,
    SwapParams calldata params,
    bytes calldata data
  ) external onlyManager returns (bytes4, int256, uint24) {
    (int256 delta, uint24 fee) = _before(sender, key, params, data);
    return (this.beforeSwap.selector, delta, fee);
  }

  function afterSwap(
    address sender,
    PoolKey calldata key,
    SwapParams calldata params,
    int256 delta,
    bytes calldata
  ) external onlyManager returns (bytes4, int128) {
    return (this.afterSwap.selector, _after(sender, key, params, delta));
  }

  function _before(address, PoolKey calldata, SwapParams calldata, bytes calldata) internal virtual returns (int256, uint24) {
    return (0, 0);
  }

  function _after(address, PoolKey calldata, SwapParams calldata, int256) internal virtual returns (int128) {
    return 0;
  }

  /// Takes basis points of what an exact input gives out.
  function _keep(PoolKey calldata key, SwapParams calldata params, int256 delta, uint256 bps) internal returns (int128) {
    bool outIsOne = params.zeroForOne == (params.amountSpecified < 0);
    int128 out = outIsOne ? int128(delta) : int128(delta >> 128);
    if (out <= 0) return 0;
    uint256 kept = (uint256(int256(out)) * bps) / 10000;
    if (kept == 0) return 0;
    MANAGER.take(outIsOne ? key.currency1 : key.currency0, address(this), kept);
    return int128(int256(kept));
  }

  /// Ether is currency 0 of the pools here: the token goes in where the swap is not from zero to one.
  function _isSale(SwapParams calldata params) internal pure returns (bool) {
    return !params.zeroForOne;
  }
}

abstract contract Owned is Hook {
  address public owner;

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }
}
