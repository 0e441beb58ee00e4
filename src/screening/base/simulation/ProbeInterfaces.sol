// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
  function balanceOf(address account) external view returns (uint256);
  function allowance(address owner, address spender) external view returns (uint256);
}

interface IWrappedEther {
  function deposit() external payable;
}

interface IV2Pool {
  function token0() external view returns (address);
  function getReserves() external view returns (uint256 reserve0, uint256 reserve1, uint256 time);
  function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IV3Pool {
  function token0() external view returns (address);
  function swap(
    address recipient,
    bool zeroForOne,
    int256 amountSpecified,
    uint160 sqrtPriceLimitX96,
    bytes calldata data
  ) external returns (int256 amount0, int256 amount1);
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

interface IPoolManager {
  function unlock(bytes calldata data) external returns (bytes memory);
  function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData) external returns (int256);
  function sync(address currency) external;
  function settle() external payable returns (uint256);
  function take(address currency, address to, uint256 amount) external;
  function extsload(bytes32 slot) external view returns (bytes32);
}

/// One hop of Aerodrome's router.
struct Route {
  address from;
  address to;
  bool stable;
  address factory;
}
