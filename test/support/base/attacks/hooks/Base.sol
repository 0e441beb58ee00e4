// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin } from "../../../solidity/Coin.sol";
import { PoolKey, SwapParams } from "../../../solidity/V4.sol";

/// An ordinary coin without powers. What is wrong with the traps of this set is the hook of its pool.
contract Coin is OpenCoin {
  string public constant name = "Hooked";
  string public constant symbol = "HOOKD";
  uint8 public constant decimals = 18;

  constructor() {
    birth(msg.sender, 4e26);
  }
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

  constructor(address by) {
    owner = by;
  }

  modifier onlyOwner() {
    require(msg.sender == owner, "not the owner");
    _;
  }
}

/// Names a fee for every swap, a stored one.
abstract contract StoredFee is Owned {
  uint24 public fee = 3000;

  function _before(address, PoolKey calldata, SwapParams calldata, bytes calldata) internal view override returns (int256, uint24) {
    return (0, fee | OVERRIDE);
  }
}
