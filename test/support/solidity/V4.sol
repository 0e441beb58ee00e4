// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// What Uniswap V4's PoolManager speaks of.

struct PoolKey {
  address currency0;
  address currency1;
  uint24 fee;
  int24 tickSpacing;
  address hooks;
}

struct ModifyLiquidityParams {
  int24 tickLower;
  int24 tickUpper;
  int256 liquidityDelta;
  bytes32 salt;
}

struct SwapParams {
  bool zeroForOne;
  int256 amountSpecified;
  uint160 sqrtPriceLimitX96;
}
