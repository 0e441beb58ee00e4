// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Small stand-ins around real pools and position managers, where no package ships the contract itself.

interface IPoolOfVenue {
  function token0() external view returns (address);
  function fee() external view returns (uint24);
  function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
}

interface IFactoryOfVenue {
  function getPool(address a, address b, uint24 fee) external view returns (address);
}

interface ITokenOfVenue {
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface INftOfVenue {
  function ownerOf(uint256 id) external view returns (address);
  function safeTransferFrom(address from, address to, uint256 id) external;
}

/// Creates pools of V3's kind from creation code that stands at another address, as their own factories do.
contract PoolDeployer {
  struct Parameters {
    address factory;
    address token0;
    address token1;
    uint24 fee;
    int24 tickSpacing;
  }

  Parameters public parameters;

  /// PancakeSwap's factory calls this.
  function deploy(address factory, address token0, address token1, uint24 fee, int24 spacing) public returns (address pool) {
    parameters = Parameters(factory, token0, token1, fee, spacing);
    address code = _code();
    bytes32 salt = keccak256(abi.encode(token0, token1, fee));
    assembly {
      let size := extcodesize(code)
      let at := mload(0x40)
      extcodecopy(code, at, 0, size)
      pool := create2(0, at, size, salt)
    }
    require(pool != address(0), "PoolDeployer: no pool");
    delete parameters;
  }

  function _code() internal view virtual returns (address) {
    return address(uint160(address(this)) ^ 1);
  }
}

/// Slipstream's way of naming pools by tick spacing, over real Uniswap V3 pools whose fee is the same number.
contract SlipstreamFactory is PoolDeployer {
  mapping(address => mapping(address => mapping(int24 => address))) public getPool;
  address public owner;

  function createPool(address a, address b, int24 spacing) external returns (address pool) {
    (address token0, address token1) = a < b ? (a, b) : (b, a);
    pool = deploy(address(this), token0, token1, uint24(spacing), spacing);
    getPool[a][b][spacing] = pool;
    getPool[b][a][spacing] = pool;
  }
}

abstract contract PoolCaller {
  function _swap(address pool, address tokenIn, uint256 amount, address to) internal returns (uint256) {
    bool zero = IPoolOfVenue(pool).token0() == tokenIn;
    uint160 limit = zero ? 4295128740 : 1461446703485210103287273052203988822378723970341;
    (int256 a, int256 b) = IPoolOfVenue(pool).swap(to, zero, int256(amount), limit, abi.encode(tokenIn, msg.sender));
    return uint256(-(zero ? b : a));
  }

  function uniswapV3SwapCallback(int256 a, int256 b, bytes calldata data) external {
    (address token, address payer) = abi.decode(data, (address, address));
    require(ITokenOfVenue(token).transferFrom(payer, msg.sender, uint256(a > 0 ? a : b)));
  }
}

/// The one function of Slipstream's router that wallets use here.
contract SlipstreamRouter is PoolCaller {
  struct Single {
    address tokenIn;
    address tokenOut;
    int24 tickSpacing;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
    uint160 sqrtPriceLimitX96;
  }

  function exactInputSingle(Single calldata p) external payable returns (uint256) {
    address pool = SlipstreamFactory(0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A).getPool(p.tokenIn, p.tokenOut, p.tickSpacing);
    return _swap(pool, p.tokenIn, p.amountIn, p.recipient);
  }
}

interface IWethOfVenue {
  function deposit() external payable;
  function transfer(address to, uint256 value) external returns (bool);
}

/// The one function of Uniswap's SwapRouter02 that wallets use here; ether is wrapped on the way.
contract SwapRouterV3 {
  address private constant WETH = 0x4200000000000000000000000000000000000006;
  IFactoryOfVenue private constant FACTORY = IFactoryOfVenue(0x33128a8fC17869897dcE68Ed026d694621f6FDfD);

  struct Single {
    address tokenIn;
    address tokenOut;
    uint24 fee;
    address recipient;
    uint256 amountIn;
    uint256 amountOutMinimum;
    uint160 sqrtPriceLimitX96;
  }

  function factory() external pure returns (address) {
    return address(FACTORY);
  }

  function exactInputSingle(Single calldata p) external payable returns (uint256) {
    address pool = FACTORY.getPool(p.tokenIn, p.tokenOut, p.fee);
    if (msg.value > 0) IWethOfVenue(WETH).deposit{value: msg.value}();
    bool zero = IPoolOfVenue(pool).token0() == p.tokenIn;
    uint160 limit = zero ? 4295128740 : 1461446703485210103287273052203988822378723970341;
    bytes memory data = abi.encode(p.tokenIn, msg.value > 0 ? address(this) : msg.sender);
    (int256 a, int256 b) = IPoolOfVenue(pool).swap(p.recipient, zero, int256(p.amountIn), limit, data);
    return uint256(-(zero ? b : a));
  }

  function uniswapV3SwapCallback(int256 a, int256 b, bytes calldata data) external {
    (address token, address payer) = abi.decode(data, (address, address));
    uint256 amount = uint256(a > 0 ? a : b);
    if (payer == address(this)) IWethOfVenue(token).transfer(msg.sender, amount);
    else require(ITokenOfVenue(token).transferFrom(payer, msg.sender, amount));
  }
}

/// Names one gauge for each pool.
contract GaugeVoter {
  mapping(address => address) public gauges;

  function setGauge(address pool, address gauge) external {
    gauges[pool] = gauge;
  }
}

/// Keeps NFTs for whoever staked them.
contract PositionGauge {
  mapping(uint256 => address) private staker;

  function deposit(INftOfVenue nft, uint256 id) external {
    require(nft.ownerOf(id) == msg.sender);
    staker[id] = msg.sender;
    nft.safeTransferFrom(msg.sender, address(this), id);
  }

  function withdraw(INftOfVenue nft, uint256 id) external {
    require(staker[id] == msg.sender);
    nft.safeTransferFrom(address(this), msg.sender, id);
  }

  function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
    return this.onERC721Received.selector;
  }
}

interface IPoolManagerOfVenue {
  function take(address currency, address to, uint256 amount) external;
  function updateDynamicLPFee(KeyOfVenue calldata key, uint24 fee) external;
}

struct KeyOfVenue {
  address currency0;
  address currency1;
  uint24 fee;
  int24 tickSpacing;
  address hooks;
}

struct SwapOfVenue {
  bool zeroForOne;
  int256 amountSpecified;
  uint160 sqrtPriceLimitX96;
}

/// An honest hook: one percent of what a swap gives out, always, and no choice about it.
contract OnePercentHook {
  function afterSwap(
    address,
    KeyOfVenue calldata key,
    SwapOfVenue calldata swap,
    int256 delta,
    bytes calldata
  ) external returns (bytes4, int128) {
    bool outIsOne = swap.zeroForOne == (swap.amountSpecified < 0);
    int128 out = outIsOne ? int128(delta) : int128(delta >> 128);
    int128 kept = out / 100;
    if (kept > 0)
      IPoolManagerOfVenue(msg.sender).take(outIsOne ? key.currency1 : key.currency0, address(this), uint256(int256(kept)));
    return (this.afterSwap.selector, kept > 0 ? kept : int128(0));
  }

  receive() external payable {}
}

/// Takes part in no swap. Its owner sets the fee of its pools, up to all of a swap.
contract OwnerFeeHook {
  address private constant MANAGER = 0x498581fF718922c3f8e6A244956aF099B2652b2b;
  address public immutable owner = msg.sender;

  function afterInitialize(address, KeyOfVenue calldata key, uint160, int24) external returns (bytes4) {
    IPoolManagerOfVenue(MANAGER).updateDynamicLPFee(key, 3000);
    return this.afterInitialize.selector;
  }

  function setFee(KeyOfVenue calldata key, uint24 fee) external {
    require(msg.sender == owner);
    IPoolManagerOfVenue(MANAGER).updateDynamicLPFee(key, fee);
  }
}
