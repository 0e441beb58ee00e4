// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { ModifyLiquidityParams, PoolKey, SwapParams } from "../../../solidity/V4.sol";

interface IPoolManager {
  function initialize(PoolKey memory key, uint160 sqrtPriceX96) external returns (int24);
  function unlock(bytes calldata data) external returns (bytes memory);
  function modifyLiquidity(
    PoolKey memory key,
    ModifyLiquidityParams memory params,
    bytes calldata hookData
  ) external returns (int256, int256);
  function sync(address currency) external;
  function settle() external payable returns (uint256);
  function take(address currency, address to, uint256 amount) external;
}

interface IToken {
  function transfer(address to, uint256 value) external returns (bool);
}

/// Opens a pool and fills it over all ticks from its own balances.
contract V4Liquidity {
  receive() external payable {}

  function open(IPoolManager manager, PoolKey calldata key, int24 tick, uint256 liquidity) external {
    manager.initialize(key, 79228162514264337593543950336);
    manager.unlock(abi.encode(key, tick, liquidity));
  }

  function unlockCallback(bytes calldata data) external returns (bytes memory) {
    (PoolKey memory key, int24 tick, uint256 liquidity) = abi.decode(data, (PoolKey, int24, uint256));
    IPoolManager manager = IPoolManager(msg.sender);
    (int256 delta, ) = manager.modifyLiquidity(key, ModifyLiquidityParams(-tick, tick, int256(liquidity), 0), "");
    _pay(manager, key.currency0, uint256(-int256(int128(delta >> 128))));
    _pay(manager, key.currency1, uint256(-int256(int128(delta))));
    return "";
  }

  function _pay(IPoolManager manager, address currency, uint256 amount) private {
    if (currency == address(0)) {
      manager.settle{value: amount}();
      return;
    }
    manager.sync(currency);
    IToken(currency).transfer(address(manager), amount);
    manager.settle();
  }
}

/// A hook that keeps a fifth of what a swap gives out (afterSwap with a return delta).
contract TakingHook {
  function afterSwap(
    address,
    PoolKey calldata key,
    SwapParams calldata params,
    int256 delta,
    bytes calldata
  ) external returns (bytes4, int128) {
    bool outIsOne = params.zeroForOne == (params.amountSpecified < 0);
    int128 out = outIsOne ? int128(delta) : int128(delta >> 128);
    int128 kept = out / 5;
    IPoolManager(msg.sender).take(outIsOne ? key.currency1 : key.currency0, address(this), uint256(int256(kept)));
    return (this.afterSwap.selector, kept);
  }

  receive() external payable {}
}

/// A hook that refuses to let the token in again: sells revert.
contract TrapHook {
  function beforeSwap(
    address,
    PoolKey calldata,
    SwapParams calldata params,
    bytes calldata
  ) external pure returns (bytes4, int256, uint24) {
    require(params.zeroForOne);
    return (this.beforeSwap.selector, 0, 0);
  }
}
