// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IToken } from "./ProbeInterfaces.sol";
import { Spender } from "./Spender.sol";

/// What every part of the probe shares: its plan, and calls to hostile contracts.
abstract contract ProbeCalls {
  uint256 internal constant V2 = 0;
  uint256 internal constant AERODROME = 1;
  uint256 internal constant V3 = 2;
  uint256 internal constant V4 = 3;

  address internal constant WETH = 0x4200000000000000000000000000000000000006;
  uint256 internal constant PIPS = 1_000_000;
  /// Fee tried when the pool refuses the stated one.
  uint256 internal constant HIGH_FEE = 10_000;
  uint160 internal constant MIN_SQRT_PRICE = 4295128740;
  uint160 internal constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  struct Plan {
    address token;
    /// Zero is native ETH (V4 only).
    address quote;
    /// V4: the PoolManager.
    address pool;
    uint256 kind;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
    /// Who holds what is bought: this contract, or a wallet without code whose allowance the caller overrides.
    address trader;
    /// Sell by transferFrom through `spender` (as routers do) instead of transfer.
    bool pull;
    address spender;
    /// A fresh account without code that receives the wallet transfer.
    address peer;
    uint256 amount;
    /// On a refused buy, try a tenth and a hundredth of the amount.
    bool shrink;
    /// The pool's usual router, used for one sell; zero for none.
    address router;
    bool stable;
    /// What one leg may use at most.
    uint256 legGas;
  }

  Plan internal plan;
  /// What a V3 or V4 callback pays in place of what is owed, for tokens that keep a part of it. Zero: what is owed.
  uint256 internal gross;

  modifier onlySelf() {
    require(msg.sender == address(this));
    _;
  }

  receive() external payable {}

  /// Runs `data` on this contract and reverts with (passed, answer), so that nothing of it stays.
  function peek(bytes calldata data) external onlySelf {
    (bool ok, bytes memory answer) = _limited(address(this), 0, data, 1024, gasleft());
    bytes memory out = abi.encode(ok, ok ? answer : bytes(""));
    assembly {
      revert(add(out, 32), mload(out))
    }
  }

  function _sendToken(address to, uint256 value) internal {
    Plan memory p = plan;
    if (!p.pull) return _send(p.token, to, value);
    if (p.trader == address(this)) _approve(p.token, p.spender, value);
    _mustCall(p.spender, abi.encodeCall(Spender.pull, (p.token, p.trader, to, value)));
  }

  function _isWallet() internal view returns (bool) {
    return plan.trader != address(this);
  }

  function _send(address token, address to, uint256 value) internal {
    _mustReturnTrue(_mustCall(token, abi.encodeWithSelector(0xa9059cbb, to, value)));
  }

  function _approve(address token, address spender, uint256 value) internal {
    _mustReturnTrue(_mustCall(token, abi.encodeWithSelector(0x095ea7b3, spender, value)));
  }

  /// Old tokens return nothing; others must return true.
  function _mustReturnTrue(bytes memory answer) internal pure {
    require(answer.length == 0 || (answer.length >= 32 && abi.decode(answer, (uint256)) == 1));
  }

  function _balance(address token, address account) internal view returns (uint256) {
    return token == address(0) ? account.balance : IToken(token).balanceOf(account);
  }

  /// One word of an argument-less view, zero where there is none.
  function _word(address target, bytes4 selector) internal view returns (uint256 word) {
    assembly {
      mstore(0, selector)
      let ok := staticcall(100000, target, 0, 4, 0, 32)
      if and(ok, gt(returndatasize(), 31)) {
        word := mload(0)
      }
    }
  }

  function _peek(bytes memory data, uint256 gasLimit) internal returns (bool ok, bytes memory answer) {
    (, bytes memory raw) = _limited(address(this), 0, abi.encodeCall(this.peek, (data)), 2048, gasLimit);
    if (raw.length < 96) return (false, "");
    (ok, answer) = abi.decode(raw, (bool, bytes));
  }

  /// Half of what is left at most, so that a token which burns all it gets cannot keep the result from being given.
  function _legGas() internal view returns (uint256) {
    uint256 half = gasleft() / 2;
    uint256 most = plan.legGas;
    return half < most ? half : most;
  }

  function _mustCall(address to, bytes memory data) internal returns (bytes memory answer) {
    bool ok;
    (ok, answer) = _limited(to, 0, data, 256, gasleft());
    require(ok);
  }

  /// A call whose answer is cut at `cap` bytes, so that a hostile contract cannot make this one pay for its copy.
  function _limited(
    address to,
    uint256 value,
    bytes memory data,
    uint256 cap,
    uint256 gasLimit
  ) internal returns (bool ok, bytes memory answer) {
    assembly {
      ok := call(gasLimit, to, value, add(data, 32), mload(data), 0, 0)
      let size := returndatasize()
      if gt(size, cap) {
        size := cap
      }
      answer := mload(0x40)
      mstore(answer, size)
      returndatacopy(add(answer, 32), 0, size)
      mstore(0x40, and(add(add(answer, size), 63), not(31)))
    }
  }
}
