// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Hook, Owned, StoredFee } from "./Base.sol";
import { ModifyLiquidityParams, PoolKey, SwapParams } from "../../../solidity/V4.sol";

/// Looks on.
contract LooksOn is Hook {
  event Seen(address sender, bool zeroForOne);

  function _after(address sender, PoolKey calldata, SwapParams calldata params, int256) internal override returns (int128) {
    emit Seen(sender, params.zeroForOne);
    return 0;
  }
}

/// Keeps one percent of what a swap gives, for good.
contract OnePercent is Hook {
  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, 100);
  }
}

/// Keeps half a percent of what goes in, as a claim on the PoolManager.
contract HalfPercentBefore is Hook {
  function _before(address, PoolKey calldata key, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (params.amountSpecified >= 0) return (0, 0);
    uint256 kept = uint256(-params.amountSpecified) / 200;
    if (kept == 0) return (0, 0);
    address currency = params.zeroForOne ? key.currency0 : key.currency1;
    MANAGER.mint(address(this), uint256(uint160(currency)), kept);
    return (int256(kept) << 128, 0);
  }
}

/// Names a fee that its owner moves, one percent at most.
contract BoundedFee is StoredFee {
  constructor(address by) Owned(by) {}

  function setFee(uint24 to) external onlyOwner {
    require(to <= 10_000);
    fee = to;
  }
}

/// Sets a fee that its owner moves, one percent at most. Has no part in swaps.
contract BoundedUpdates is Owned {
  constructor(address by) Owned(by) {}

  function afterInitialize(address, PoolKey calldata key, uint160, int24) external onlyManager returns (bytes4) {
    MANAGER.updateDynamicLPFee(key, 3000);
    return this.afterInitialize.selector;
  }

  function setFee(PoolKey calldata key, uint24 to) external onlyOwner {
    require(to <= 10_000);
    MANAGER.updateDynamicLPFee(key, to);
  }
}

/// The fee falls from one percent to three tenths in the first day.
contract FallingFee is Hook {
  uint256 private immutable born = block.timestamp;

  function _before(address, PoolKey calldata, SwapParams calldata, bytes calldata) internal view override returns (int256, uint24) {
    uint24 fee = block.timestamp - born < 1 days ? 10_000 : 3000;
    return (0, fee | OVERRIDE);
  }
}

/// Writes down the price and when it was.
contract Oracle is Hook {
  struct Observation {
    uint32 time;
    uint160 sqrtPrice;
  }
  mapping(uint256 => Observation) public observations;
  uint256 public count;

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    bytes32 pool = keccak256(abi.encode(key));
    uint256 word = uint256(MANAGER.extsload(keccak256(abi.encode(pool, uint256(6)))));
    unchecked {
      observations[count & 0xffff] = Observation(uint32(block.timestamp), uint160(word));
      count++;
    }
    return 0;
  }
}

/// Counts swaps of all its pools.
contract CountsAll is Hook {
  uint256 public swaps;

  function _after(address, PoolKey calldata, SwapParams calldata, int256) internal override returns (int128) {
    swaps++;
    return 0;
  }
}

/// Counts swaps, as the template of all hooks does.
contract Counter is Hook {
  mapping(bytes32 => uint256) public swaps;

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    swaps[keccak256(abi.encode(key))]++;
    return 0;
  }
}

/// Whatever is put into its pools stays there.
contract KeepsLiquidity is Hook {
  function beforeRemoveLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata) external pure returns (bytes4) {
    revert("it stays");
  }
}

/// A switch that was given up before anybody traded: its owner is nobody.
contract GivenUp is Owned {
  bool public closed;

  constructor(address by) Owned(by) {}

  function close() external onlyOwner {
    closed = true;
  }

  function renounce() external onlyOwner {
    owner = address(0);
  }

  function _before(address, PoolKey calldata, SwapParams calldata, bytes calldata) internal view override returns (int256, uint24) {
    require(!closed);
    return (0, 0);
  }
}

/// Counts all that is done with each of its pools.
contract CountsEverything is Hook {
  mapping(bytes32 => uint256) public purchases;
  mapping(bytes32 => uint256) public swaps;
  mapping(bytes32 => uint256) public deposits;

  function _before(address, PoolKey calldata key, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (!_isSale(params)) purchases[keccak256(abi.encode(key))] += 1;
    return (0, 0);
  }

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    swaps[keccak256(abi.encode(key))]++;
    return 0;
  }

  function beforeAddLiquidity(address, PoolKey calldata key, ModifyLiquidityParams calldata, bytes calldata) external onlyManager returns (bytes4) {
    deposits[keccak256(abi.encode(key))]++;
    return this.beforeAddLiquidity.selector;
  }
}
