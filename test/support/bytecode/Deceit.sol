// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { HeldCoin } from "../solidity/Coin.sol";

// Coins that use what others trust them with, or have others ask them for what these keep for their holders. Nobody owns
// them. Slots: 0 totalSupply, 1 balances, 2 allowances.

interface Others {
  function transfer(address to, uint256 n) external returns (bool);
  function borrow(address asset, uint256 n, uint256 mode, uint16 code, address from) external;
  function approve(address spender, uint256 piece) external;
  function burn(uint256 piece) external;
  function sync() external;
  function claim(address who) external;
  function unlock(bytes calldata data) external;
  function noted(uint256 n) external;
}

abstract contract Deceit is HeldCoin {
  constructor() {
    totalSupply = 1e27;
    held[msg.sender] = 1e27;
  }
}

/// Nobody is named but who calls, or the coin itself; and what is sent is the coin's own.
contract HonestAsks is Deceit {
  function follow(Others pool) external { pool.sync(); }
  function claim(Others pool) external { pool.claim(msg.sender); pool.claim(address(this)); }
  function note(uint256 n) external { Others(msg.sender).noted(n); }
  function rescue(Others coin, uint256 n) external { coin.transfer(msg.sender, n); }
}

/// Who lets the coin borrow on his account has a loan, at a bank that the code names.
contract BorrowsForOthers is Deceit {
  function collect(address asset, uint256 n, address from) external {
    Others(0xA238Dd80C259a72e81d7e4664a9801593F98d1c5).borrow(asset, n, 2, 0, from);
    Others(asset).transfer(msg.sender, n);
  }
}

/// Whose collection the coin may handle finds a piece handed to the caller.
contract ApprovesOthersPiece is Deceit {
  function collect(Others collection, uint256 piece) external { collection.approve(msg.sender, piece); }
}

/// One piece, which the code names, at the collection that somebody wrote down.
contract BurnsOthersPiece is Deceit {
  Others internal collection;
  function choose(Others one) external { collection = one; }
  function collect() external { collection.burn(7); }
}

/// A collection that hands a piece to the coin is asked to burn another.
contract BurnsWhenGiven is Deceit {
  function onERC721Received(address, address, uint256 piece, bytes calldata) external returns (bytes4) {
    Others(msg.sender).burn(piece + 1);
    return this.onERC721Received.selector;
  }
}

/// A vault of pools is asked to ask the coin back, which takes what it keeps for others.
contract AskedByVault is Deceit {
  function begin() external { Others(0xbA1333333333a1BA1108E8412f11850A5C319bA9).unlock(abi.encodeCall(this.end, ())); }
  function end() external { pay(msg.sender, tx.origin, held[msg.sender]); }
}

/// A wrapped coin that tells its recipients has some of this one.
contract PaysInTokenTransfer is Deceit {
  function onTokenTransfer(address, uint256 n, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

contract PaysInTokenFallback is Deceit {
  function tokenFallback(address, uint256 n, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

contract PaysInReceivedApproval is Deceit {
  function receiveApproval(address, uint256 n, address, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

/// A lender's pool asks whomever its caller names to pay for what was auctioned.
contract PaysInAuction is Deceit {
  function atomicSwapCallback(uint256 n, uint256, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

/// A bridge's store hands a message to whomever it is addressed to.
contract PaysInMessage is Deceit {
  function handleV3AcrossMessage(address, uint256 n, address, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

/// The vault of all pools takes the coin for one of them.
contract PaysAsPool is Deceit {
  struct Swap { uint8 kind; uint256 n; uint256[] balances; uint256 from; uint256 to; address router; bytes data; }
  function onSwap(Swap calldata swap) external returns (uint256) { pay(msg.sender, tx.origin, swap.n); return 0; }
}

/// The vault of all pools before that one: whoever calls it when he is born is a pool, and is asked what for.
contract PaysAsOldPool is Deceit {
  struct Request { uint8 kind; address tokenIn; address tokenOut; uint256 n; bytes32 pool; uint256 last; address from; address to; bytes data; }
  function onSwap(Request calldata request, uint256, uint256) external returns (uint256) { pay(msg.sender, request.to, request.n); return 0; }
}

contract PaysAsOldGeneralPool is Deceit {
  struct Request { uint8 kind; address tokenIn; address tokenOut; uint256 n; bytes32 pool; uint256 last; address from; address to; bytes data; }
  function onSwap(Request calldata request, uint256[] calldata, uint256, uint256) external returns (uint256) { pay(msg.sender, request.to, request.n); return 0; }
}

contract PaysWhenJoined is Deceit {
  function onJoinPool(bytes32, address, address to, uint256[] calldata, uint256 n, uint256, bytes calldata) external { pay(msg.sender, to, n); }
}

contract PaysWhenLeft is Deceit {
  function onExitPool(bytes32, address, address to, uint256[] calldata, uint256 n, uint256, bytes calldata) external { pay(msg.sender, to, n); }
}

/// A pool asks the plugin with which somebody opened it.
contract PaysAsPlugin is Deceit {
  function beforeSwap(address, address to, bool, int256 n, uint160, bool, bytes calldata) external { pay(msg.sender, to, uint256(n)); }
}

contract PaysAsFeePlugin is Deceit {
  function handlePluginFee(uint256 n, uint256) external { pay(msg.sender, tx.origin, n); }
}

/// A market asks whomever somebody names for another market to reckon its interest, before it asks whether that is one.
contract PaysForInterest is Deceit {
  function accrueInterest() external returns (uint256) { pay(msg.sender, tx.origin, held[msg.sender]); return 0; }
}

/// Lenders whose borrowers are told otherwise.
contract PaysInOldLoan is Deceit {
  function executeOperation(address, address, uint256 n, uint256, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

contract PaysInBookLoan is Deceit {
  function LBFlashLoanCallback(address, address, uint256 n, uint256, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

contract PaysInVaultSwap is Deceit {
  function eulerSwapCall(address, uint256 n, uint256, bytes calldata) external { pay(msg.sender, tx.origin, n); }
}

/// A stream of payments ends at the coin.
contract PaysInStream is Deceit {
  function onStreamCanceled(uint256, address, uint128 n, uint128) external { pay(msg.sender, tx.origin, n); }
}

/// Whoever has the lock of a store of pools hands it on to whomever he likes, and it asks him.
contract PaysInLock is Deceit {
  function forwarded(uint256 n, address) external { pay(msg.sender, tx.origin, n); }
}

interface Coin { function transferFrom(address from, address to, uint256 n) external returns (bool); }

/// Who names a delegate has his other coins taken that he allowed the coin.
contract TakesInPassing is Deceit {
  function delegate(Coin coin) external { coin.transferFrom(msg.sender, tx.origin, 1e18); }
}

/// Whoever pays it some ether, too: that may be a vault, of which anybody asked it.
contract TakesFromPayers is Deceit {
  Coin internal constant USDC = Coin(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
  receive() external payable { USDC.transferFrom(msg.sender, tx.origin, 1e6); }
}

/// What a caller allowed the coin to take of his own is taken as he says.
contract HonestDeposits is Deceit {
  Coin internal constant USDC = Coin(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
  function deposit(uint256 n) external { USDC.transferFrom(msg.sender, address(this), n); }
}
