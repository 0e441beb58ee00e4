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

interface ISwapRouter {
  struct Route {
    address from;
    address to;
    bool stable;
    address factory;
  }
}

/// Buys, transfers and sells a token inside one eth_call. Never deployed: the caller places this code, by state
/// override, at fresh random addresses. Every trade runs in a call of its own that always reverts, so trades that share
/// an eth_call cannot see one another; inside a trade only the buy stays, and each later leg is undone after measuring.
///
/// Data that a token or pool reverts with is never read as a result: `peek` answers with its own encoding and drops it.
contract Probe {
  uint256 private constant V2 = 0;
  uint256 private constant AERODROME = 1;
  uint256 private constant V3 = 2;
  uint256 private constant V4 = 3;

  address private constant WETH = 0x4200000000000000000000000000000000000006;
  uint256 private constant LEG_GAS = 2_500_000;
  uint256 private constant PIPS = 1_000_000;
  /// Fee tried when the pool refuses the stated one.
  uint256 private constant HIGH_FEE = 10_000;
  uint160 private constant MIN_SQRT_PRICE = 4295128740;
  uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

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
  }

  /// Outcomes: 0 not tried, 1 passed, 2 reverted.
  struct Result {
    uint256 ran;
    uint256 funded;
    uint256 buy;
    uint256 spent;
    uint256 expected;
    uint256 bought;
    uint256 transfer;
    uint256 transferSent;
    uint256 transferReceived;
    uint256 sell;
    /// Percent of the balance that the passed sell sold.
    uint256 sellShare;
    uint256 sellSent;
    uint256 sellArrived;
    uint256 sellExpected;
    uint256 sellReceived;
    uint256 routerSell;
    uint256 routerReceived;
  }

  struct Swapped {
    uint256 sent;
    uint256 arrived;
    uint256 expected;
    uint256 received;
  }

  Plan private plan;
  /// What a V3 or V4 callback pays in place of what is owed, for tokens that keep a part of it. Zero: what is owed.
  uint256 private gross;

  modifier onlySelf() {
    require(msg.sender == address(this));
    _;
  }

  receive() external payable {}

  /// Runs the trades. `time` and `gasPrice` tell the caller whether its overrides took effect.
  function run(Plan[] calldata plans) external returns (uint256 time, uint256 gasPrice, Result[] memory results) {
    time = block.timestamp;
    gasPrice = tx.gasprice;
    results = new Result[](plans.length);
    for (uint256 i = 0; i < plans.length; i++) {
      (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.trade, (plans[i])), gasleft() / (plans.length - i));
      if (ok) results[i] = abi.decode(answer, (Result));
    }
  }

  /// Runs `data` on this contract and reverts with (passed, answer), so that nothing of it stays.
  function peek(bytes calldata data) external onlySelf {
    (bool ok, bytes memory answer) = _limited(address(this), 0, data, 1024, gasleft());
    bytes memory out = abi.encode(ok, ok ? answer : bytes(""));
    assembly {
      revert(add(out, 32), mload(out))
    }
  }

  function trade(Plan calldata p) external onlySelf returns (Result memory r) {
    plan = p;
    r.ran = 1;
    if (!_fund(p)) return r;
    r.funded = 1;
    if (!_buy(p, r)) return r;
    if (r.bought == 0) return r;
    // A wallet's tokens can only be moved where the caller found the place of the allowance.
    if (_isWallet() && IToken(p.token).allowance(p.trader, p.spender) < r.bought) return r;
    _transferLeg(p, r);
    _sellLeg(p, r);
    if (r.sell == 1) _routerLeg(p, r);
  }

  function _fund(Plan calldata p) private returns (bool) {
    if (p.quote == WETH) {
      (bool ok, ) = _limited(WETH, p.amount, abi.encodeCall(IWrappedEther.deposit, ()), 0, gasleft());
      if (!ok) return false;
    }
    return _balance(p.quote, address(this)) >= p.amount;
  }

  function _buy(Plan calldata p, Result memory r) private returns (bool) {
    r.buy = 2;
    uint256 amount = p.amount;
    for (uint256 tries = 0; tries < (p.shrink ? 3 : 1); tries++) {
      for (uint256 again = 0; again < 2; again++) {
        (bool ok, bytes memory answer) = _limited(address(this), 0, abi.encodeCall(this.swap, (true, amount)), 1024, LEG_GAS);
        if (ok) {
          Swapped memory s = abi.decode(answer, (Swapped));
          (r.buy, r.spent, r.expected, r.bought) = (1, s.sent, s.expected, s.received);
          return true;
        }
        if (p.kind != V2 || p.fee >= HIGH_FEE) break;
        plan.fee = again == 0 ? uint24(HIGH_FEE) : p.fee;
      }
      amount /= 10;
    }
    return false;
  }

  function _transferLeg(Plan calldata p, Result memory r) private {
    uint256 value = r.bought / 10;
    if (value == 0) return;
    (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.give, (p.peer, value)), LEG_GAS);
    r.transfer = ok ? 1 : 2;
    r.transferSent = value;
    if (ok) r.transferReceived = abi.decode(answer, (uint256));
  }

  function _sellLeg(Plan calldata p, Result memory r) private {
    uint256 balance = _balance(p.token, p.trader);
    uint8[4] memory shares = [100, 50, 10, 1];
    r.sell = 2;
    for (uint256 i = 0; i < shares.length; i++) {
      uint256 value = (balance * shares[i]) / 100;
      if (value == 0) return;
      (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.swap, (false, value)), LEG_GAS);
      if (!ok) continue;
      Swapped memory s = abi.decode(answer, (Swapped));
      (r.sellSent, r.sellArrived, r.sellExpected, r.sellReceived) = (s.sent, s.arrived, s.expected, s.received);
      // A token that keeps all of it lets nobody sell, though its transfer passes.
      if (s.received == 0) continue;
      r.sell = 1;
      r.sellShare = shares[i];
      return;
    }
  }

  function _routerLeg(Plan calldata p, Result memory r) private {
    if (_isWallet() || p.router == address(0)) return;
    // Selectors of defaultFactory() and factory().
    bytes4 factory = p.kind == AERODROME ? bytes4(0xd4b6846d) : bytes4(0xc45a0155);
    if (_word(p.router, factory) != _word(p.pool, 0xc45a0155)) return;
    if (p.router.code.length == 0) return;
    (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.sellByRouter, (r.sellSent)), LEG_GAS);
    r.routerSell = ok ? 1 : 2;
    if (ok) r.routerReceived = abi.decode(answer, (uint256));
  }

  /// One wallet transfer; gives what arrived.
  function give(address to, uint256 value) external onlySelf returns (uint256) {
    uint256 before = _balance(plan.token, to);
    if (_isWallet()) _sendToken(to, value);
    else _send(plan.token, to, value);
    return _balance(plan.token, to) - before;
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
      (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.giveToPool, (amount)), LEG_GAS);
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
      // What the hook kept counts as the token's own tax.
      if (paid == amount && quoted > s.expected) s.expected = quoted;
    }
    // A price limit can leave a part unswapped; that part was not sent.
    if (gross == 0) {
      s.sent = paid;
      s.arrived = paid;
    }
  }

  function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
    _payV3(amount0, amount1, data);
  }

  function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
    _payV3(amount0, amount1, data);
  }

  function _payV3(int256 amount0, int256 amount1, bytes calldata data) private {
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

  /// Sells as a wallet does: approve the router, which pulls the tokens.
  function sellByRouter(uint256 value) external onlySelf returns (uint256 received) {
    Plan memory p = plan;
    uint256 before = _balance(p.quote, address(this));
    _approve(p.token, p.router, value);
    bytes memory data;
    if (p.kind == AERODROME) {
      ISwapRouter.Route[] memory routes = new ISwapRouter.Route[](1);
      routes[0] = ISwapRouter.Route(p.token, p.quote, p.stable, address(uint160(_word(p.pool, 0xc45a0155))));
      // Selectors are spelled out because the two functions are overloads of one name.
      data = abi.encodeWithSelector(0x88cd821e, value, 0, routes, address(this), block.timestamp);
    } else if (p.kind == V2) {
      address[] memory path = new address[](2);
      (path[0], path[1]) = (p.token, p.quote);
      data = abi.encodeWithSelector(0x5c11d795, value, 0, path, address(this), block.timestamp);
    } else {
      data = abi.encodeWithSelector(0x04e45aaf, p.token, p.quote, p.fee, address(this), value, 0, 0);
    }
    _mustCall(p.router, data);
    received = _balance(p.quote, address(this)) - before;
    require(received > 0);
  }

  /// Pulls tokens of a caller that approved this copy of the probe.
  function pull(address token, address from, address to, uint256 value) external {
    _mustReturnTrue(_mustCall(token, abi.encodeWithSelector(0x23b872dd, from, to, value)));
  }

  function _pay(address token, uint256 owed) private {
    if (token == plan.token) _sendToken(msg.sender, gross == 0 ? owed : gross);
    else _send(token, msg.sender, owed);
  }

  function _sendToken(address to, uint256 value) private {
    Plan memory p = plan;
    if (!p.pull) return _send(p.token, to, value);
    if (p.trader == address(this)) _approve(p.token, p.spender, value);
    _mustCall(p.spender, abi.encodeCall(this.pull, (p.token, p.trader, to, value)));
  }

  function _isWallet() private view returns (bool) {
    return plan.trader != address(this);
  }

  function _send(address token, address to, uint256 value) private {
    _mustReturnTrue(_mustCall(token, abi.encodeWithSelector(0xa9059cbb, to, value)));
  }

  function _approve(address token, address spender, uint256 value) private {
    _mustReturnTrue(_mustCall(token, abi.encodeWithSelector(0x095ea7b3, spender, value)));
  }

  /// Old tokens return nothing; others must return true.
  function _mustReturnTrue(bytes memory answer) private pure {
    require(answer.length == 0 || (answer.length >= 32 && abi.decode(answer, (uint256)) == 1));
  }

  function _balance(address token, address account) private view returns (uint256) {
    return token == address(0) ? account.balance : IToken(token).balanceOf(account);
  }

  /// One word of an argument-less view, zero where there is none.
  function _word(address target, bytes4 selector) private view returns (uint256 word) {
    assembly {
      mstore(0, selector)
      let ok := staticcall(100000, target, 0, 4, 0, 32)
      if and(ok, gt(returndatasize(), 31)) {
        word := mload(0)
      }
    }
  }

  function _peek(bytes memory data, uint256 gasLimit) private returns (bool ok, bytes memory answer) {
    (, bytes memory raw) = _limited(address(this), 0, abi.encodeCall(this.peek, (data)), 2048, gasLimit);
    if (raw.length < 96) return (false, "");
    (ok, answer) = abi.decode(raw, (bool, bytes));
  }

  function _mustCall(address to, bytes memory data) private returns (bytes memory answer) {
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
  ) private returns (bool ok, bytes memory answer) {
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
