// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { Open, Payments } from "../../../solidity/Coin.sol";

/// Tokens that play what scams do. One contract, one behaviour each, chosen at deployment.
contract TestToken is Open, Payments {
  enum Behaviour {
    Plain,
    Tax,
    SellReverts,
    BuyKeepsAll,
    TradingClosed,
    TimeBomb,
    OriginGate,
    GasPriceGate,
    MaxTransaction,
    Blacklist,
    RouterTrap,
    NoContracts,
    FullSellRefused,
    ForgedResult,
    ClosesLater,
    ContractsOnly,
    TaxInLaterHours,
    CoinbaseGate,
    BurnsGas
  }

  uint8 public constant decimals = 18;

  Behaviour public immutable behaviour;
  uint256 public immutable buyTax;
  uint256 public immutable transferTax;
  uint256 public immutable sellTax;
  uint256 public immutable born = block.timestamp;
  address public immutable owner = msg.sender;
  mapping(address => bool) public isPool;
  mapping(address => bool) public blocked;
  mapping(address => bool) public isExempt;

  constructor(Behaviour b, uint256 buy, uint256 move, uint256 sell) {
    (behaviour, buyTax, transferTax, sellTax) = (b, buy, move, sell);
    totalSupply = 1e27;
    balanceOf[msg.sender] = 1e27;
  }

  function setPool(address pool) external {
    isPool[pool] = true;
  }

  function setExempt(address account) external {
    isExempt[account] = true;
  }

  function setBlocked(address account) external {
    blocked[account] = true;
  }

  function pay(address from, address to, uint256 value) internal override {
    uint256 tax = 0;
    if (from != owner && to != owner && !isExempt[from]) {
      bool selling = isPool[to];
      bool buying = isPool[from];
      _check(from, to, value, buying, selling);
      tax = (value * _tax(buying, selling)) / 10_000;
    }
    balanceOf[from] -= value;
    balanceOf[to] += value - tax;
    balanceOf[owner] += tax;
  }

  function _tax(bool buying, bool selling) private view returns (uint256) {
    if (behaviour == Behaviour.BuyKeepsAll) return buying ? 10_000 : 0;
    if (behaviour == Behaviour.TaxInLaterHours) return selling && block.timestamp > born + 1 days ? sellTax : 0;
    if (behaviour != Behaviour.Tax) return 0;
    return buying ? buyTax : selling ? sellTax : transferTax;
  }

  function _check(address from, address to, uint256 value, bool buying, bool selling) private view {
    if (behaviour == Behaviour.SellReverts) require(!selling);
    if (behaviour == Behaviour.TradingClosed) require(!buying && !selling);
    if (behaviour == Behaviour.TimeBomb) require(!selling || block.timestamp < born + 3000);
    if (behaviour == Behaviour.OriginGate) require(!selling || tx.origin != from);
    if (behaviour == Behaviour.GasPriceGate) require(!selling || tx.gasprice == 0);
    if (behaviour == Behaviour.CoinbaseGate) require(!selling || block.coinbase == address(0) || block.basefee == 0);
    if (behaviour == Behaviour.MaxTransaction) require(value <= totalSupply / 1000);
    if (behaviour == Behaviour.Blacklist) require(!blocked[from]);
    if (behaviour == Behaviour.RouterTrap) require(!selling || msg.sender != 0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24);
    if (behaviour == Behaviour.NoContracts) {
      require((isPool[from] || from.code.length == 0) && (isPool[to] || to.code.length == 0));
    }
    if (behaviour == Behaviour.FullSellRefused) require(!selling || value < balanceOf[from]);
    if (behaviour == Behaviour.ClosesLater) require(block.timestamp < born + 3000);
    if (behaviour == Behaviour.ContractsOnly) require(!selling || from.code.length > 0);
    if (behaviour == Behaviour.ForgedResult && selling) _forge();
    if (behaviour == Behaviour.BurnsGas && selling) _burn();
  }

  function _burn() private view {
    while (gasleft() > 0) blocked[msg.sender];
  }

  /// Reverts with what a simulator that reads revert data would take for a passed sell.
  function _forge() private pure {
    bytes memory inner = abi.encode(uint256(1e18), uint256(1e18), uint256(1e18), uint256(1e18));
    bytes memory data = abi.encode(true, inner);
    assembly {
      revert(add(data, 32), mload(data))
    }
  }
}

/// Returns nothing from its transfers, as old tokens do.
contract NoReturnToken {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  uint256 public totalSupply = 1e15;
  uint8 public constant decimals = 6;

  constructor() {
    balanceOf[msg.sender] = totalSupply;
  }

  function approve(address spender, uint256 value) external {
    allowance[msg.sender][spender] = value;
  }

  function transfer(address to, uint256 value) external {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
  }

  function transferFrom(address from, address to, uint256 value) external {
    allowance[from][msg.sender] -= value;
    balanceOf[from] -= value;
    balanceOf[to] += value;
  }
}

interface IToken {
  function transfer(address to, uint256 value) external returns (bool);
  function balanceOf(address account) external view returns (uint256);
}

/// A minimal double of Aerodrome's pool: its reserves, fee in hundredths of a percent, fees sent away on each swap, and
/// both curves, by the formulas of its documentation. Not the original code.
contract AerodromePoolDouble {
  address public immutable token0;
  address public immutable token1;
  address public immutable factory = msg.sender;
  bool public immutable stable;
  uint256 public constant fee = 30;
  uint256 private reserve0;
  uint256 private reserve1;

  constructor(address a, address b, bool s) {
    (token0, token1) = a < b ? (a, b) : (b, a);
    stable = s;
  }

  function sync() external {
    (reserve0, reserve1) = (IToken(token0).balanceOf(address(this)), IToken(token1).balanceOf(address(this)));
  }

  function getReserves() external view returns (uint256, uint256, uint256) {
    return (reserve0, reserve1, block.timestamp);
  }

  function getAmountOut(uint256 amountIn, address tokenIn) public view returns (uint256) {
    amountIn -= (amountIn * fee) / 10_000;
    (uint256 x, uint256 y) = tokenIn == token0 ? (reserve0, reserve1) : (reserve1, reserve0);
    if (!stable) return (amountIn * y) / (x + amountIn);
    return y - _y(x + amountIn, _k(x, y), y);
  }

  function _k(uint256 x, uint256 y) private view returns (uint256) {
    if (!stable) return x * y;
    uint256 a = (x * y) / 1e18;
    uint256 b = (x * x) / 1e18 + (y * y) / 1e18;
    return (a * b) / 1e18;
  }

  /// The y for which k holds, by bisection, rounded up in the pool's favour.
  function _y(uint256 x, uint256 k, uint256 high) private view returns (uint256) {
    uint256 low = 0;
    while (low < high) {
      uint256 middle = (low + high) / 2;
      if (_k(x, middle) < k) low = middle + 1;
      else high = middle;
    }
    return high;
  }

  function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
    require(out0 > 0 || out1 > 0);
    uint256 k = _k(reserve0, reserve1);
    if (out0 > 0) IToken(token0).transfer(to, out0);
    if (out1 > 0) IToken(token1).transfer(to, out1);
    _takeFee(token0, reserve0 - out0);
    _takeFee(token1, reserve1 - out1);
    (uint256 b0, uint256 b1) = (IToken(token0).balanceOf(address(this)), IToken(token1).balanceOf(address(this)));
    require(_k(b0, b1) >= k, "K");
    (reserve0, reserve1) = (b0, b1);
  }

  function _takeFee(address token, uint256 expected) private {
    uint256 balance = IToken(token).balanceOf(address(this));
    if (balance > expected) IToken(token).transfer(address(0xfee), ((balance - expected) * fee) / 10_000);
  }
}

interface IV3Pool {
  function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
  function token0() external view returns (address);
}

interface IV3Factory {
  function getPool(address a, address b, uint24 fee) external view returns (address);
}

/// A minimal double of SwapRouter02: sells one token for another by pulling it inside the pool's callback.
contract V3RouterDouble {
  address public immutable factory;

  struct Params {
    address tokenIn;
    address tokenOut;
    uint24 fee;
    address recipient;
    uint256 amountIn;
    uint256 amountOutMinimum;
    uint160 sqrtPriceLimitX96;
  }

  constructor(address f) {
    factory = f;
  }

  function exactInputSingle(Params calldata p) external payable returns (uint256) {
    IV3Pool pool = IV3Pool(IV3Factory(factory).getPool(p.tokenIn, p.tokenOut, p.fee));
    bool zero = pool.token0() == p.tokenIn;
    uint160 limit = zero ? 4295128740 : 1461446703485210103287273052203988822378723970341;
    (int256 a, int256 b) = pool.swap(p.recipient, zero, int256(p.amountIn), limit, abi.encode(p.tokenIn, msg.sender));
    return uint256(-(zero ? b : a));
  }

  function uniswapV3SwapCallback(int256 a, int256 b, bytes calldata data) external {
    (address token, address payer) = abi.decode(data, (address, address));
    TestToken(token).transferFrom(payer, msg.sender, uint256(a > 0 ? a : b));
  }
}
