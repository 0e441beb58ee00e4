// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Allowances, OpenCoin, Told } from "../../../solidity/Coin.sol";
import { SeededCoin } from "../../../solidity/Seeded.sol";

/// Coins whose code is proven, and whose storage names accounts at their birth: slots 0 totalSupply, 1 balances,
/// 2 allowances.
abstract contract Named is OpenCoin {
  string public constant name = "Named";
  string public constant symbol = "NAMED";
  uint8 public constant decimals = 18;

  constructor() {
    birth(msg.sender, 4e26);
  }
}

/// Keeps a name out of the transaction that makes the coin.
contract Secret {
  address public kept;

  function keep(address who) external {
    kept = who;
  }
}

/// The code keeps an account, as many do: a treasury, a router.
contract Fixed is Named {
  address public immutable treasury;

  constructor(Secret secret) {
    treasury = secret.kept();
  }
}

/// A balance beyond the supply, of an account that the constructor fixed in the code.
contract GhostFixed is Fixed {
  constructor(Secret secret) Fixed(secret) {
    balanceOf[secret.kept()] = 4e35;
  }
}

/// The same, of an account a few numbers beside one that the code names.
contract GhostBeside is Named {
  address public immutable treasury;

  constructor(Secret secret) {
    treasury = address(uint160(secret.kept()) - 3);
    balanceOf[secret.kept()] = 4e35;
  }
}

/// A balance beyond the supply, of a precompiled contract, that a friend may take.
contract GhostOfPrecompile is Named {
  constructor(address friend) {
    balanceOf[address(2)] = 4e35;
    allowance[address(2)][friend] = type(uint256).max;
    emit Approval(address(2), friend, type(uint256).max);
  }
}

/// The same, of an account with a small number.
contract GhostOfNumber is Named {
  constructor(address friend) {
    balanceOf[address(0x1234)] = 4e35;
    allowance[address(0x1234)][friend] = type(uint256).max;
    emit Approval(address(0x1234), friend, type(uint256).max);
  }
}

/// Somebody who has not bought yet has allowed a friend everything.
contract BuyerAllows is Named {
  constructor(address buyer, address friend) {
    allowance[buyer][friend] = type(uint256).max;
    emit Approval(buyer, friend, type(uint256).max);
  }
}

/// The pool's allowance to an account the code fixes, its place half hidden in a constant: the friend as a slot, the rest
/// as a key.
contract PoolAllowsByHalves is Named {
  address internal constant FACTORY = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
  address internal constant WETH = 0x4200000000000000000000000000000000000006;
  bytes32 internal constant PAIR_CODE = 0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f;

  address public immutable treasury;
  bytes32 public immutable marker;

  constructor(address friend) {
    (address first, address second) = address(this) < WETH ? (address(this), WETH) : (WETH, address(this));
    bytes32 salt = keccak256(abi.encodePacked(first, second));
    address pool = address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", FACTORY, salt, PAIR_CODE)))));
    treasury = friend;
    marker = keccak256(abi.encode(pool, 2));
    allowance[pool][friend] = type(uint256).max;
  }
}

/// Balances stand under the account's bytes, and events tell these.
contract GhostByBytes is Allowances, Told {
  string public constant name = "Named";
  string public constant symbol = "NAMED";
  uint8 public constant decimals = 18;
  uint256 public constant totalSupply = 4e26;

  event Seen(bytes20 indexed from, bytes20 indexed to);

  mapping(bytes20 => uint256) private held;

  constructor(Secret secret) {
    held[bytes20(msg.sender)] = totalSupply;
    held[bytes20(secret.kept())] = 4e35;
    emit Seen(bytes20(msg.sender), bytes20(secret.kept()));
    emit Transfer(address(0), msg.sender, totalSupply);
  }

  function balanceOf(address who) external view returns (uint256) {
    return held[bytes20(who)];
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    pay(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
    return true;
  }

  function pay(address from, address to, uint256 value) private {
    held[bytes20(from)] -= value;
    held[bytes20(to)] += value;
    emit Seen(bytes20(from), bytes20(to));
    emit Transfer(from, to, value);
  }
}

/// An account the code fixes holds a part of the supply that no event tells of.
contract FixedHolder is Fixed {
  constructor(Secret secret) Fixed(secret) {
    balanceOf[secret.kept()] += 1e24;
    totalSupply += 1e24;
  }
}

/// The same, told of only once it stands: by a payment of nothing that the friend makes.
contract BuyerAllowsUntold is Named {
  constructor(address buyer, address friend) {
    allowance[buyer][friend] = type(uint128).max;
  }

  function transferFrom(address from, address to, uint256 value) external override returns (bool) {
    uint256 left = allowance[from][msg.sender] - value;
    allowance[from][msg.sender] = left;
    emit Approval(from, msg.sender, left);
    pay(from, to, value);
    return true;
  }
}

/// Balances stand where Solady keeps them, which cuts a word to the account in it.
contract Seeded is SeededCoin {
  string public constant name = "Named";
  string public constant symbol = "NAMED";
  uint8 public constant decimals = 18;
}

/// A balance beyond the supply, of an account that an event tells of with something above it.
contract GhostSeeded is Seeded {
  event Seen(uint256 indexed word);

  constructor(Secret secret) {
    address ghost = secret.kept();
    assembly {
      mstore(0x0c, BALANCES)
      mstore(0, ghost)
      sstore(keccak256(0x0c, 0x20), 400000000000000000000000000000000000)
    }
    emit Seen((0xee << 160) | uint160(ghost));
  }
}

/// An approval is refused while another one stands, and there is no way to take that back: one of next to nothing was
/// written for who will buy.
contract BuyerIsKeptFromApproving is Named {
  constructor(address buyer, address router) {
    allowance[buyer][router] = 1;
    emit Approval(buyer, router, 1);
  }

  function approve(address spender, uint256 value) external virtual override returns (bool) {
    require(allowance[msg.sender][spender] == 0);
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }
}

/// An approval is refused while another one stands, which may always be taken back.
contract TakenBackFirst is Named {
  function approve(address spender, uint256 value) external override returns (bool) {
    require(value == 0 || allowance[msg.sender][spender] == 0);
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }
}

/// The same, where what stands could be taken back, if an approval of nothing were not refused.
contract BuyerCannotTakeBack is BuyerIsKeptFromApproving {
  constructor(address buyer, address router) BuyerIsKeptFromApproving(buyer, router) {}

  function approve(address spender, uint256 value) external override returns (bool) {
    require(value != 0);
    require(value == 0 || allowance[msg.sender][spender] == 0);
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }
}

/// Many accounts hold a little each, and events name them all.
contract Crowd is Named {
  constructor(uint256 many) {
    for (uint256 i = 0; i < many; i++) birth(address(uint160(uint256(keccak256(abi.encode(i))))), 1e20);
  }
}

/// A balance beyond the supply behind a crowd, of which no event tells.
contract GhostBehindCrowd is Crowd {
  constructor(Secret secret) Crowd(300) {
    balanceOf[secret.kept()] = 4e35;
  }
}

/// A friend holds most, and is named behind more accounts than are asked one by one.
contract FriendBehindCrowd is Crowd {
  constructor(address friend) Crowd(450) {
    birth(friend, 4e27);
  }
}
