// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { IToken, IWrappedEther, Route } from "./ProbeInterfaces.sol";
import { ProbeSwaps } from "./ProbeSwaps.sol";

/// Buys, transfers and sells a token inside one eth_call. Never deployed: the caller places this code, by state
/// override, at fresh random addresses. Every trade runs in a call of its own that always reverts, so trades that share
/// an eth_call cannot see one another; inside a trade only the buy stays, and each later leg is undone after measuring.
///
/// Data that a token or pool reverts with is never read as a result: `peek` answers with its own encoding and drops it.
contract Probe is ProbeSwaps {
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
    /// What pool, price and fee promise without the hook; zero where there is none.
    uint256 buyQuoted;
    uint256 sellQuoted;
  }

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
        bytes memory data = abi.encodeCall(this.swap, (true, amount));
        (bool ok, bytes memory answer) = _limited(address(this), 0, data, 1024, _legGas());
        if (ok) {
          Swapped memory s = abi.decode(answer, (Swapped));
          (r.buy, r.spent, r.expected, r.bought) = (1, s.sent, s.expected, s.received);
          r.buyQuoted = s.quoted;
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
    (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.give, (p.peer, value)), _legGas());
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
      (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.swap, (false, value)), _legGas());
      if (!ok) continue;
      Swapped memory s = abi.decode(answer, (Swapped));
      (r.sellSent, r.sellArrived, r.sellExpected, r.sellReceived) = (s.sent, s.arrived, s.expected, s.received);
      r.sellQuoted = s.quoted;
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
    (bool ok, bytes memory answer) = _peek(abi.encodeCall(this.sellByRouter, (r.sellSent)), _legGas());
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

  /// Sells as a wallet does: approve the router, which pulls the tokens.
  function sellByRouter(uint256 value) external onlySelf returns (uint256 received) {
    Plan memory p = plan;
    uint256 before = _balance(p.quote, address(this));
    _approve(p.token, p.router, value);
    bytes memory data;
    // swapExactTokensForTokensSupportingFeeOnTransferTokens of either router; exactInputSingle.
    if (p.kind == AERODROME) {
      Route[] memory routes = new Route[](1);
      routes[0] = Route(p.token, p.quote, p.stable, address(uint160(_word(p.pool, 0xc45a0155))));
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
}
