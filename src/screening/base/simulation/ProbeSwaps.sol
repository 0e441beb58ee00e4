// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IPoolManager, IV2Pool, IV3Pool, PoolKey, SwapParams } from "./ProbeInterfaces.sol";
import { ProbeCalls } from "./ProbeCalls.sol";

/// Swaps by direct calls to the pools, in every kind of pool the service knows.
abstract contract ProbeSwaps is ProbeCalls {
  struct Swapped {
    uint256 sent;
    uint256 arrived;
    uint256 expected;
    /// What the pool would give if no hook took part; zero where there is none.
    uint256 quoted;
    uint256 received;
  }

  /// Gives what arrives at the pool of a plain transfer.
  function giveToPool(uint256 value) external onlySelf returns (uint256) {
    uint256 before = _balance(plan.token, plan.pool);
    _sendToken(plan.pool, value);
    return _balance(plan.token, plan.pool) - before;
  }

  /// One swap of an exact input at the plan's pool.
  function swap(bool buying, uint256 amount) external onlySelf returns (Swapped memory s) {
    address tokenIn = buying ? plan.quote : plan.token;
    address tokenOut = buying ? plan.token : plan.quote;
    address to = buying ? plan.trader : address(this);
    uint256 before = _balance(tokenOut, to);
    s.sent = amount;
    if (plan.kind == V2 || plan.kind == AERODROME) _swapV2(s, buying, tokenIn, to);
    else _swapConcentrated(s, buying, tokenIn, tokenOut, to);
    s.received = _balance(tokenOut, to) - before;
  }

  function _swapV2(Swapped memory s, bool buying, address tokenIn, address to) private {
    IV2Pool pool = IV2Pool(plan.pool);
    if (buying) _send(tokenIn, address(pool), s.sent);
    else _sendToken(address(pool), s.sent);
    // Reserves are read after the transfer: a token that sells its collected tax during a transfer moves them.
    (uint256 reserveIn, uint256 reserveOut, ) = pool.getReserves();
    bool zeroForOne = pool.token0() == tokenIn;
    if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
    s.arrived = _balance(tokenIn, address(pool)) - reserveIn;
    if (s.arrived == 0) return;
    if (plan.kind == AERODROME) {
      s.expected = pool.getAmountOut(s.arrived, tokenIn);
    } else {
      uint256 net = s.arrived * (PIPS - plan.fee);
      s.expected = (net * reserveOut) / (reserveIn * PIPS + net);
    }
    if (s.expected == 0) return;
    pool.swap(zeroForOne ? 0 : s.expected, zeroForOne ? s.expected : 0, to, "");
  }

  function _swapConcentrated(
    Swapped memory s,
    bool buying,
    address tokenIn,
    address tokenOut,
    address to
  ) private {
    uint256 amount = s.sent;
    s.arrived = amount;
    gross = 0;
    if (!buying) {
      // These pools refuse an input that shrinks on its way; pay more than is owed and see what the token keeps.
      (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.giveToPool, (amount)), _legGas());
      require(ok);
      s.arrived = abi.decode(answer, (uint256));
      if (s.arrived == 0) return;
      if (s.arrived < amount) {
        gross = amount;
        amount = s.arrived - s.arrived / 1000;
      }
    }
    uint256 paid;
    if (plan.kind == V3) {
      bool zeroForOne = IV3Pool(plan.pool).token0() == tokenIn;
      (int256 amount0, int256 amount1) = IV3Pool(plan.pool).swap(
        to,
        zeroForOne,
        int256(amount),
        zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE,
        abi.encode(tokenIn)
      );
      paid = uint256(zeroForOne ? amount0 : amount1);
      s.expected = uint256(-(zeroForOne ? amount1 : amount0));
    } else {
      uint256 quoted = plan.hooks == address(0) ? 0 : _withoutHook(tokenIn, tokenOut, amount);
      bytes memory answer = IPoolManager(plan.pool).unlock(abi.encode(tokenIn, tokenOut, amount, to));
      (paid, s.expected) = abi.decode(answer, (uint256, uint256));
      if (paid == amount) s.quoted = quoted;
    }
    // A price limit can leave a part unswapped; that part was not sent.
    if (gross == 0) {
      s.sent = paid;
      s.arrived = paid;
    }
  }

  /// Each fork names its callback anew and passes the same: the two amounts and the data of the swap.
  fallback() external {
    (int256 amount0, int256 amount1, bytes memory data) = abi.decode(msg.data[4:], (int256, int256, bytes));
    _payV3(amount0, amount1, data);
  }

  function _payV3(int256 amount0, int256 amount1, bytes memory data) private {
    require(msg.sender == plan.pool);
    _pay(abi.decode(data, (address)), uint256(amount0 > 0 ? amount0 : amount1));
  }

  function unlockCallback(bytes calldata data) external returns (bytes memory) {
    require(msg.sender == plan.pool);
    (address tokenIn, address tokenOut, uint256 amount, address to) = abi.decode(
      data,
      (address, address, uint256, address)
    );
    IPoolManager manager = IPoolManager(msg.sender);
    bool zeroForOne = tokenIn < tokenOut;
    int256 delta = manager.swap(
      _key(tokenIn, tokenOut),
      SwapParams(zeroForOne, -int256(amount), zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE),
      ""
    );
    (int128 amount0, int128 amount1) = (int128(delta >> 128), int128(delta));
    uint256 owed = uint256(-int256(zeroForOne ? amount0 : amount1));
    uint256 out = uint256(int256(zeroForOne ? amount1 : amount0));
    if (tokenIn == address(0)) {
      manager.settle{value: owed}();
    } else {
      manager.sync(tokenIn);
      _pay(tokenIn, owed);
      uint256 credited = manager.settle();
      // The manager wants every credit taken, also that of a grossed-up payment.
      if (credited > owed) manager.take(tokenIn, address(this), credited - owed);
    }
    manager.take(tokenOut, to, out);
    return abi.encode(owed, out);
  }

  function _key(address a, address b) private view returns (PoolKey memory) {
    (address currency0, address currency1) = a < b ? (a, b) : (b, a);
    return PoolKey(currency0, currency1, plan.fee, plan.tickSpacing, plan.hooks);
  }

  /// What the pool's price, liquidity and stated fee promise for an exact input, if no hook and no tick is in the way.
  function _withoutHook(address tokenIn, address tokenOut, uint256 amount) private view returns (uint256) {
    IPoolManager manager = IPoolManager(plan.pool);
    // Source: Uniswap V4 StateLibrary. Pools live in a mapping at slot 6; liquidity is the fourth word of a pool.
    bytes32 state = keccak256(abi.encode(keccak256(abi.encode(_key(tokenIn, tokenOut))), uint256(6)));
    uint256 slot0 = uint256(manager.extsload(state));
    uint256 liquidity = uint128(uint256(manager.extsload(bytes32(uint256(state) + 3))));
    uint256 sqrtPrice = uint160(slot0);
    uint256 fee = uint24(slot0 >> 208);
    if (sqrtPrice == 0 || liquidity == 0 || fee >= PIPS) return 0;
    uint256 reserve0 = (liquidity << 96) / sqrtPrice;
    uint256 reserve1 = _scaledDown(liquidity, sqrtPrice);
    (uint256 reserveIn, uint256 reserveOut) = tokenIn < tokenOut ? (reserve0, reserve1) : (reserve1, reserve0);
    uint256 net = (amount * (PIPS - fee)) / PIPS;
    // Amounts above 2^128 cannot be settled, so the product below cannot overflow for any pool that trades.
    if (net >> 128 != 0 || reserveOut >> 128 != 0) return 0;
    return (net * reserveOut) / (reserveIn + net);
  }

  /// liquidity * sqrtPrice / 2^96 without overflow: 128 and 160 bits do not fit one word together.
  function _scaledDown(uint256 liquidity, uint256 sqrtPrice) private pure returns (uint256) {
    return liquidity * (sqrtPrice >> 96) + ((liquidity * (sqrtPrice & type(uint96).max)) >> 96);
  }

  function _pay(address token, uint256 owed) private {
    if (token == plan.token) _sendToken(msg.sender, gross == 0 ? owed : gross);
    else _send(token, msg.sender, owed);
  }
}
