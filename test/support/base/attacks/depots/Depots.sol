// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { OpenCoin } from "../../../solidity/Coin.sol";

/// Supply that lies where nobody looks for a holder, or whose holders look as if they had bought it.
abstract contract Depot is OpenCoin {
  string public name = "Depot";
  string public symbol = "DEPO";
  uint8 public constant decimals = 18;

  constructor() {
    birth(msg.sender, 4e26);
    stock();
  }

  function stock() internal virtual;
}

/// Most of the supply is the contract's own; whoever comes first takes it.
contract Hoard is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function clear(uint256 value) external {
    pay(address(this), msg.sender, value);
  }
}

/// Whoever knows the word takes it.
contract HoardByWord is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function clear(string calldata word) external {
    require(keccak256(bytes(word)) == keccak256("sesame"));
    pay(address(this), msg.sender, balanceOf[address(this)]);
  }
}

/// It leaves in pieces of one size, to whoever asks.
contract HoardInPieces is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function drip() external {
    require(balanceOf[address(this)] >= 18e26);
    unchecked {
      balanceOf[address(this)] -= 18e26;
      balanceOf[msg.sender] += 18e26;
    }
    emit Transfer(address(this), msg.sender, 18e26);
  }
}

/// It is let go as time passes: all of it within a day, or a tenth of what there is within two years.
abstract contract LetsGo is Depot {
  address private immutable friend;
  uint256 private immutable born = block.timestamp;
  uint256 private immutable all;
  uint256 private immutable span;
  uint256 public released;

  constructor(address to, uint256 share, uint256 time) {
    (friend, all, span) = (to, share, time);
    birth(address(this), share);
  }

  function stock() internal override {}

  function release() external {
    uint256 passed = block.timestamp - born;
    uint256 due = passed >= span ? all : (all * passed) / span;
    uint256 value = due - released;
    released = due;
    require(balanceOf[address(this)] >= value);
    unchecked {
      balanceOf[address(this)] -= value;
      balanceOf[friend] += value;
    }
    emit Transfer(address(this), friend, value);
  }
}

contract LetsAllGo is LetsGo {
  constructor(address to) LetsGo(to, 36e26, 1 days) {}
}

contract LetsLittleGo is LetsGo {
  constructor(address to) LetsGo(to, 4e25, 730 days) {}
}

/// The contract was born with an allowance that it gave a friend.
contract HoardAllowed is Depot {
  address private immutable friend;

  constructor(address to) {
    friend = to;
    allowance[address(this)][to] = type(uint256).max;
    emit Approval(address(this), to, type(uint256).max);
  }

  function stock() internal override {
    birth(address(this), 36e26);
  }
}

/// The contract calls itself as if it were another coin.
contract HoardCalled is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }

  function rescue(HoardCalled coin, uint256 value) external {
    coin.transfer(msg.sender, value);
  }
}

interface Permit2 {
  function approve(address token, address spender, uint160 amount, uint48 expiration) external;
}

/// Permit2 moves what anybody holds who allowed it there; whoever is first has the contract allow it.
contract HoardPermitted is Depot {
  Permit2 private constant PERMIT2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

  function stock() internal override {
    birth(address(this), 36e26);
  }

  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    if (msg.sender != address(PERMIT2)) allowance[from][msg.sender] -= value;
    pay(from, to, value);
    return true;
  }

  function open() external {
    PERMIT2.approve(address(this), msg.sender, type(uint160).max, type(uint48).max);
  }
}

interface Manager {
  function unlock(bytes calldata data) external returns (bytes memory);
  function sync(address currency) external;
  function settle() external payable returns (uint256);
  function take(address currency, address to, uint256 amount) external;
  function mint(address to, uint256 id, uint256 amount) external;
  function burn(address from, uint256 id, uint256 amount) external;
}

/// Keeps what it gets in the PoolManager, as a claim and in no pool.
contract Claims {
  Manager private constant MANAGER = Manager(0x498581fF718922c3f8e6A244956aF099B2652b2b);

  function put(OpenCoin coin) external {
    MANAGER.unlock(abi.encode(coin, coin.balanceOf(address(this)), address(0)));
  }

  function get(OpenCoin coin) external {
    MANAGER.unlock(abi.encode(coin, coin.balanceOf(address(MANAGER)), msg.sender));
  }

  function unlockCallback(bytes calldata data) external returns (bytes memory) {
    (OpenCoin coin, uint256 value, address to) = abi.decode(data, (OpenCoin, uint256, address));
    uint256 id = uint160(address(coin));
    if (to == address(0)) {
      MANAGER.sync(address(coin));
      coin.transfer(address(MANAGER), value);
      MANAGER.settle();
      MANAGER.mint(address(this), id, value);
    } else {
      MANAGER.burn(address(this), id, value);
      MANAGER.take(address(coin), to, value);
    }
    return "";
  }
}

/// Five times as much as the pool has, and less than a twentieth of a supply that was nearly all burned at birth.
contract Claimed is Depot {
  constructor(address claims) {
    birth(claims, 196e25);
  }

  function stock() internal override {
    birth(address(0xdead), 3764e25);
  }
}

/// Nine tenths are sent to an empty side pool, which gives what it has not recorded to whoever asks.
contract Beside is Depot {
  function stock() internal override {
    birth(msg.sender, 36e26);
  }
}

/// What the contract holds stays there.
contract Sealed is Depot {
  function stock() internal override {
    birth(address(this), 36e26);
  }
}

/// A coin of which its maker keeps most.
contract Kept is Depot {
  function stock() internal override {
    birth(msg.sender, 36e26);
  }
}

interface IPair {
  function skim(address to) external;
}

/// Sends tokens through a pool, which gives them away as if somebody had bought them.
contract Launderer {
  function skim(Kept coin, IPair pair, uint256 value) external {
    for (uint160 i = 1; i <= 24; i++) {
      coin.transfer(address(pair), value);
      pair.skim(address(uint160(uint256(keccak256(abi.encode(i))))));
    }
  }
}

/// Two dozen friends hold most from birth, as if somebody who has nothing to do with it had sold it to them.
contract Forged is Depot {
  function stock() internal override {
    for (uint160 i = 1; i <= 24; i++) {
      address friend = address(uint160(uint256(keccak256(abi.encode(i)))));
      balanceOf[friend] = 15e25;
      emit Transfer(address(uint160(friend) - 1), friend, 15e25);
    }
    totalSupply += 36e26;
  }
}

/// All of it is for sale.
contract Plain is Depot {
  function stock() internal override {}
}

interface Paying {
  function transfer(address to, uint256 value) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}

/// Its owner, a wallet, may take out what others sent it by mistake.
abstract contract Rescued is Depot {
  address public owner = msg.sender;

  function rescue(Paying coin, uint256 value) external {
    require(msg.sender == owner);
    coin.transfer(owner, value);
  }
}

/// It holds nothing, and owes nobody anything.
contract HonestRescued is Rescued {
  function stock() internal override {}
}

/// Most of the supply is the contract's own.
contract HoardRescued is Rescued {
  function stock() internal override {
    birth(address(this), 36e26);
  }
}

/// Whoever gives coins back gets his share of the ether that stands behind them.
contract BackedRescued is Rescued {
  Paying private constant WETH = Paying(0x4200000000000000000000000000000000000006);

  function stock() internal override {}

  function redeem(uint256 value) external {
    uint256 share = (WETH.balanceOf(address(this)) * value) / totalSupply;
    balanceOf[msg.sender] -= value;
    totalSupply -= value;
    emit Transfer(msg.sender, address(0), value);
    WETH.transfer(msg.sender, share);
  }
}

/// The same for whoever puts his name down.
contract BackedByName is Rescued {
  Paying private constant WETH = Paying(0x4200000000000000000000000000000000000006);
  address private named;

  function stock() internal override {}

  function register() external {
    named = msg.sender;
  }

  function redeem(uint256 value) external {
    require(msg.sender == named);
    uint256 share = (WETH.balanceOf(address(this)) * value) / totalSupply;
    balanceOf[msg.sender] -= value;
    totalSupply -= value;
    emit Transfer(msg.sender, address(0), value);
    WETH.transfer(msg.sender, share);
  }
}

interface Router {
  function addLiquidityETH(address token, uint256 tokens, uint256 least, uint256 leastEther, address to, uint256 deadline) external payable;

  function swapETHForExactTokens(uint256 tokens, address[] calldata path, address to, uint256 deadline) external payable;

  function swapExactETHForTokens(uint256 least, address[] calldata path, address to, uint256 deadline) external payable;
}

/// Opens the pool and buys for many wallets, in one transaction: nobody else could have been there.
contract Launcher {
  Router private constant ROUTER = Router(0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24);

  function launch(OpenCoin coin, uint256 tokens, uint256 wallets, uint256 each) external payable {
    coin.approve(address(ROUTER), tokens);
    address[] memory path = new address[](2);
    (path[0], path[1]) = (0x4200000000000000000000000000000000000006, address(coin));
    uint256 purchases = wallets * each;
    ROUTER.addLiquidityETH{value: msg.value - purchases}(address(coin), tokens, 0, 0, address(0xdead), block.timestamp);
    for (uint160 i = 1; i <= wallets; i++)
      ROUTER.swapExactETHForTokens{value: each}(0, path, address(i * 0x1234567890abcdef1234567890abcdef), block.timestamp);
  }
}

/// Buys as much for each of many wallets, which are told apart by a number.
contract Splitter {
  Router private constant ROUTER = Router(0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24);

  function buy(address coin, uint256 each, uint160 first, uint160 wallets) external payable {
    address[] memory path = new address[](2);
    (path[0], path[1]) = (0x4200000000000000000000000000000000000006, coin);
    for (uint160 i = first; i < first + wallets; i++)
      ROUTER.swapETHForExactTokens{value: address(this).balance}(each, path, address(i * 0x1234567890abcdef1234567890abcdef), block.timestamp);
  }

  receive() external payable {}
}
