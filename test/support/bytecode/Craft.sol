// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { HeldCoin } from "../solidity/Coin.sol";

/// Coins that look proven to whoever looks at each part of a path by itself, or at an address without what stands above it.
/// Slots: 0 totalSupply, 1 balances, 2 allowances, 3 nonces, 4 authorizations, 5 switch.
abstract contract Craft is HeldCoin {
  mapping(address => uint256) internal counts;
  mapping(address => mapping(bytes32 => uint256)) internal used;
  uint256 internal stopped;
  address internal immutable friend = msg.sender;

  struct Seal { uint8 v; bytes32 r; bytes32 s; }

  bytes32 internal constant DOMAIN =
    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
  bytes32 internal constant PERMIT =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 internal constant TRANSFER = keccak256(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
  );

  constructor() {
    totalSupply = 1e27;
    held[msg.sender] = 1e27;
  }

  function stop(uint256 how) external {
    require(msg.sender == friend);
    stopped = how;
  }

  function signer(bytes32 struct_, Seal calldata seal) internal view returns (address) {
    bytes32 domain = keccak256(abi.encode(DOMAIN, keccak256("Craft"), keccak256("1"), block.chainid, address(this)));
    return ecrecover(keccak256(abi.encodePacked("\x19\x01", domain, struct_)), seal.v, seal.r, seal.s);
  }
}

interface Told { function told() external; }

contract HonestCraft is Craft {}

/// The recipient is told, and may pay on what he got.
contract HonestTelling is Craft {
  function transferAndCall(address to, uint256 value) external {
    pay(msg.sender, to, value);
    Told(to).told();
  }

  function transferFromAndCall(address from, address to, uint256 value) external {
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
    Told(to).told();
  }
}

contract PaysTwice is Craft {
  function transferAndCall(address to, uint256 value) external {
    pay(msg.sender, to, value);
    Told(to).told();
    pay(msg.sender, to, value);
  }
}

contract SpendsTwice is Craft {
  function transferFromAndCall(address from, address to, uint256 value) external {
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
    Told(to).told();
    pay(from, to, value);
  }
}

contract AuthorizedTwice is Craft {
  function give(address from, address to, uint256 value, uint256 start, uint256 end, bytes32 nonce, Seal calldata seal) external {
    require(block.timestamp > start && block.timestamp < end && used[from][nonce] == 0);
    used[from][nonce] = 1;
    address who = signer(keccak256(abi.encode(TRANSFER, from, to, value, start, end, nonce)), seal);
    require(who != address(0) && who == from);
    pay(from, to, value);
    Told(to).told();
    pay(from, to, value);
  }
}

contract HonestAuthorized is Craft {
  function give(address from, address to, uint256 value, uint256 start, uint256 end, bytes32 nonce, Seal calldata seal) external {
    require(block.timestamp > start && block.timestamp < end && used[from][nonce] == 0);
    used[from][nonce] = 1;
    address who = signer(keccak256(abi.encode(TRANSFER, from, to, value, start, end, nonce)), seal);
    require(who != address(0) && who == from);
    pay(from, to, value);
    Told(to).told();
  }
}

/// Asks that somebody is named, by a word that may name nobody.
contract SignedByNobody is Craft {
  function permit(uint256 word, address spender, uint256 value, uint256 end, Seal calldata seal) external {
    require(block.timestamp <= end && word != 0);
    address owner = address(uint160(word));
    require(signer(keccak256(abi.encode(PERMIT, owner, spender, value, counts[owner]++, end)), seal) == owner);
    allowance[owner][spender] = value;
  }
}

contract HonestPermit is Craft {
  function permit(address owner, address spender, uint256 value, uint256 end, Seal calldata seal) external {
    require(block.timestamp <= end && owner != address(0));
    require(signer(keccak256(abi.encode(PERMIT, owner, spender, value, counts[owner]++, end)), seal) == owner);
    allowance[owner][spender] = value;
  }
}

/// The spender spends again while the recipient is told: what he was allowed before is written back, less one payment.
contract SpendsStale is Craft {
  function transferFromAndCall(address from, address to, uint256 value) external {
    uint256 before = allowance[from][msg.sender];
    Told(to).told();
    allowance[from][msg.sender] = before - value;
    pay(from, to, value);
  }
}

/// The same, where the holder is asked for it by a number of his own.
contract LowersStale is Craft {
  function decreaseAllowance(address spender, uint256 value) external {
    uint256 before = allowance[msg.sender][spender];
    Told(spender).told();
    allowance[msg.sender][spender] = before - value;
  }
}

/// What is read behind the call is no older than it.
contract HonestLate is Craft {
  function transferFromAndCall(address from, address to, uint256 value) external {
    Told(to).told();
    allowance[from][msg.sender] -= value;
    pay(from, to, value);
  }
}

/// Raised once more than was asked for, behind a call.
contract RaisesTwice is Craft {
  function increaseAllowance(address spender, uint256 value) external {
    allowance[msg.sender][spender] += value;
    Told(spender).told();
    allowance[msg.sender][spender] += value;
  }
}

/// Takes as often as there are turns, none of the first ones.
contract PaysInTurns is Craft {
  function transferAndCall(address to, uint256 value) external {
    for (uint256 i = 0; i < 100; i++)
      if (i >= 10) pay(msg.sender, to, value);
  }
}

/// One spender's approval is taken back by the next approval, whoever it is for.
contract ApprovesAllButOne is Craft {
  address internal other;

  function choose(address one) external {
    require(msg.sender == friend);
    other = one;
  }

  function approve(address spender, uint256 value) external override returns (bool) {
    allowance[msg.sender][spender] = value;
    allowance[msg.sender][other] = 0;
    return true;
  }
}

/// Three distances of up to half a word each wrap around when they are added up: their sum is no more than what is left, and
/// each of them may be more than everything.
contract BurnsBelowNothing is Craft {
  uint256 internal constant HALF = type(uint256).max >> 1;

  function burn(uint256 x, uint256 y) external {
    (uint256 value, uint256 rest) = (counts[msg.sender], used[msg.sender][0]);
    uint256 old = held[msg.sender];
    require(x <= HALF && y <= HALF && value <= old && rest <= value);
    unchecked {
      uint256 gaps = (HALF - x) + (HALF - y) + (HALF - stopped % HALF);
      require(stopped % HALF <= HALF && gaps <= value - rest);
      held[msg.sender] = old - value + (HALF - x) + rest;
    }
  }
}

/// What the contract holds is given away in pieces of one size.
contract HonestDrip is Craft {
  mapping(address => bool) internal given;

  function drip() external {
    require(!given[msg.sender] && held[address(this)] >= 5);
    given[msg.sender] = true;
    unchecked {
      held[address(this)] -= 5;
      held[msg.sender] += 5;
    }
  }
}

contract DripsTheLast is Craft {
  function drip() external {
    require(held[address(this)] >= 4);
    unchecked {
      held[address(this)] -= 5;
      held[msg.sender] += 5;
    }
  }
}

/// What the contract holds is given to a friend as time passes.
contract HonestSince is Craft {
  uint256 internal given;

  function release() external {
    uint256 value = block.timestamp - 1700000000 - given;
    given += value;
    require(held[address(this)] >= value);
    unchecked {
      held[address(this)] -= value;
      held[friend] += value;
    }
  }
}

contract SinceBefore is Craft {
  function release() external {
    unchecked {
      uint256 value = block.timestamp - 1700000000;
      require(held[address(this)] + 1700000000 >= block.timestamp);
      held[address(this)] -= value;
      held[friend] += value;
    }
  }
}

contract SinceBeforeLast is Craft {
  function release() external {
    uint256 value = block.timestamp - 1700000000;
    require(held[address(this)] + 1 >= value);
    unchecked {
      held[address(this)] -= value;
      held[friend] += value;
    }
  }
}
