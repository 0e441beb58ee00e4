// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// What Uniswap V4's PoolManager speaks of, beyond what the probe asks of it.

import { PoolKey, SwapParams } from "../../../src/screening/base/simulation/ProbeInterfaces.sol";

struct ModifyLiquidityParams {
  int24 tickLower;
  int24 tickUpper;
  int256 liquidityDelta;
  bytes32 salt;
}
