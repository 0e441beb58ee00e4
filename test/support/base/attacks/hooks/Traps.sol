// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Hook, IManager, Owned, StoredFee } from "./Base.sol";
import { PoolKey, SwapParams } from "../../../solidity/V4.sol";

/// The share it keeps is a number that its owner sets, nothing at first.
contract RaisedShare is Owned {
  uint256 public bps;

  constructor(address by) Owned(by) {}

  function setShare(uint256 to) external onlyOwner {
    bps = to;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, bps);
  }
}

/// Some blocks after the pool was opened nobody sells any more.
contract ClosesByBlock is Hook {
  uint256 private immutable last;

  constructor(uint256 blocks) {
    last = block.number + blocks;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    require(!_isSale(params) || block.number < last);
    return (0, 0);
  }
}

/// A switch; then only those on a list sell.
contract ListOnly is Owned {
  bool public closed;
  mapping(address => bool) public listed;

  constructor(address by) Owned(by) {}

  function close() external onlyOwner {
    closed = true;
    listed[owner] = true;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    require(!closed || !_isSale(params) || listed[tx.origin]);
    return (0, 0);
  }
}

/// Keeps nine tenths of what a sale pays, and nothing of a purchase.
contract SaleTaker is Hook {
  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _isSale(params) ? _keep(key, params, delta, 9000) : int128(0);
  }
}

/// Keeps nearly all from senders of another half of all addresses.
contract ByOrigin is Hook {
  address private immutable spared;

  constructor(address friend) {
    spared = friend;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    bool takes = _isSale(params) && tx.origin != spared && uint160(tx.origin) % 97 == uint160(spared) % 97;
    return _keep(key, params, delta, takes ? 9500 : 0);
  }
}

/// Keeps nearly all of sales at a price of gas that no trial offers.
contract ByGasPrice is Hook {
  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, _isSale(params) && tx.gasprice > 1 gwei ? 9500 : 0);
  }
}

/// Keeps nearly all of sales from the third month on.
contract ByTime is Hook {
  uint256 private immutable born = block.timestamp;

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, _isSale(params) && block.timestamp > born + 90 days ? 9500 : 0);
  }
}

/// Keeps nearly all of sales with as little gas as wallets estimate, more than any trial leaves.
contract ByGas is Hook {
  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, _isSale(params) && gasleft() < 200_000 ? 9500 : 0);
  }
}

/// Names a fee for every swap, a stored one.
contract NamedFee is StoredFee {
  constructor(address by) Owned(by) {}

  function setFee(uint24 to) external onlyOwner {
    fee = to;
  }
}

/// Has no part in swaps. Its owner makes it call whatever he likes, the PoolManager's fee too.
contract Caller is Owned {
  constructor(address by) Owned(by) {}

  function afterInitialize(address, PoolKey calldata key, uint160, int24) external onlyManager returns (bytes4) {
    MANAGER.updateDynamicLPFee(key, 3000);
    return this.afterInitialize.selector;
  }

  function execute(address to, bytes calldata data) external onlyOwner {
    (bool done, ) = to.call(data);
    require(done);
  }

  /// For the arming step: the same call, encoded here.
  function raise(address currency1) external onlyOwner {
    PoolKey memory key = PoolKey(address(0), currency1, 0x800000, 60, address(this));
    this.onBehalf(abi.encodeCall(IManager.updateDynamicLPFee, (key, 1_000_000)));
  }

  function onBehalf(bytes calldata data) external {
    require(msg.sender == address(this));
    (bool done, ) = address(MANAGER).call(data);
    require(done);
  }
}

/// Sets the fee of a pool whose fee is fixed, once it is told to: the PoolManager refuses, and so the swap fails.
contract Refused is Owned {
  uint24 public fee;

  constructor(address by) Owned(by) {}

  function arm() external onlyOwner {
    fee = 1;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256) internal override returns (int128) {
    if (fee != 0 && _isSale(params)) MANAGER.updateDynamicLPFee(key, fee);
    return 0;
  }
}

/// Takes from sales, once it is told to, though its pool does not let it: no such swap can be settled.
contract Debtor is Owned {
  bool public armed;

  constructor(address by) Owned(by) {}

  function arm() external onlyOwner {
    armed = true;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256) internal override returns (int128) {
    if (armed && _isSale(params)) MANAGER.mint(address(this), uint160(key.currency0), 1);
    return 0;
  }
}

/// What it does its owner replaces.
contract Replaceable {
  address private implementation;
  address public owner;

  constructor(address first, address by) {
    implementation = first;
    owner = by;
  }

  function replace(address next) external {
    require(msg.sender == owner);
    implementation = next;
  }

  receive() external payable {}

  fallback() external payable {
    address to = implementation;
    assembly {
      calldatacopy(0, 0, calldatasize())
      let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      if iszero(done) {
        revert(0, returndatasize())
      }
      return(0, returndatasize())
    }
  }
}

contract Nothing is Hook {}

/// Knows the router that wallets use by its hash: no account is named, nothing is read.
contract KnowsRouter is Hook {
  bytes32 private immutable known;

  constructor(address router) {
    known = keccak256(abi.encode(router));
  }

  function _after(address sender, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    bool takes = _isSale(params) && keccak256(abi.encode(sender)) == known;
    return _keep(key, params, delta, takes ? 9500 : 0);
  }
}

interface IBrain {
  function settle() external payable returns (uint256);
}

/// Decides for another contract; asked by a name that the PoolManager has too.
contract Brain is IBrain {
  uint256 public bps;
  address public owner;

  constructor(address by) {
    owner = by;
  }

  function arm() external {
    require(msg.sender == owner);
    bps = 9500;
  }

  function settle() external payable returns (uint256) {
    return bps;
  }
}

/// Its address stands nowhere in the code: it is two numbers.
contract Puppet is Hook {
  uint256 private immutable half;
  uint256 private constant OTHER = uint256(keccak256("half"));

  constructor(address brain) {
    half = uint256(uint160(brain)) ^ OTHER;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    uint256 other = OTHER;
    assembly {
      // Kept from being worked out beforehand.
      other := xor(other, iszero(caller()))
    }
    uint256 bps = IBrain(address(uint160(half ^ other))).settle();
    return _keep(key, params, delta, _isSale(params) ? bps : 0);
  }
}

/// Armed by whoever deploys something at an address that has no code yet.
contract ByCode is Hook {
  address private immutable sign;

  constructor(address at) {
    sign = at;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    return _keep(key, params, delta, _isSale(params) && sign.code.length > 0 ? 9500 : 0);
  }
}

contract Sign {}

/// Counts swaps, and began so near the end of its numbers that soon there is no next one.
contract CountsDown is Hook {
  uint256 public swaps = type(uint256).max - 60;

  function _after(address, PoolKey calldata, SwapParams calldata params, int256) internal override returns (int128) {
    if (_isSale(params)) swaps += 20;
    return 0;
  }
}

/// The same in a table, where nobody looks.
contract CountsDownApart is Hook {
  mapping(bytes32 => uint256) public swaps;

  constructor(uint256 left) {
    _left = left;
  }

  uint256 private _left;

  function afterInitialize(address, PoolKey calldata key, uint160, int24) external onlyManager returns (bytes4) {
    swaps[keccak256(abi.encode(key))] = type(uint256).max - _left;
    return this.afterInitialize.selector;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    swaps[keccak256(abi.encode(key))]++;
    return 0;
  }
}

/// The counter stands where the seventh note does, which its owner writes.
contract CountsByAnotherName is Owned {
  bytes32 private constant SWAPS = 0xdc686ec4a0ff239c70e7c7c36e8f853eced3bc8618f48d2b816da2a74311237e;
  mapping(uint256 => uint256) public notes;

  constructor(address by) Owned(by) {}

  function note(uint256 at, uint256 to) external onlyOwner {
    notes[at] = to;
  }

  function _after(address, PoolKey calldata, SwapParams calldata, int256) internal override returns (int128) {
    uint256 swaps;
    assembly {
      swaps := sload(SWAPS)
    }
    swaps++;
    assembly {
      sstore(SWAPS, swaps)
    }
    return 0;
  }
}

/// Keeps one percent for a treasury that stops taking ether when its owner says so.
contract Treasury {
  address public owner;
  bool public shut;

  constructor(address by) {
    owner = by;
  }

  function shutDown() external {
    require(msg.sender == owner);
    shut = true;
  }

  receive() external payable {
    require(!shut);
  }
}

contract PaysTreasury is Hook {
  address private immutable treasury;

  constructor(address to) {
    treasury = to;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    if (!_isSale(params) || params.amountSpecified > 0) return 0;
    int128 kept = int128(delta >> 128) / 100;
    if (kept <= 0) return 0;
    MANAGER.take(key.currency0, treasury, uint256(int256(kept)));
    return kept;
  }
}

/// Multiplies what a swap names, as if it were no debt, by a small number of its owner's: by two, it is too much for a word.
contract Overflows is Owned {
  uint256 public times = 1;
  event Sized(uint256 size);

  constructor(address by) Owned(by) {}

  function setTimes(uint256 to) external onlyOwner {
    require(to <= 2);
    times = to;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (_isSale(params)) emit Sized(uint256(params.amountSpecified) * times);
    return (0, 0);
  }
}

/// A switch that is no number of things: below nothing, nobody sells.
contract BelowNothing is Owned {
  int256 public mode;

  constructor(address by) Owned(by) {}

  function close() external onlyOwner {
    mode = -1;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    require(!_isSale(params) || mode >= 0);
    return (0, 0);
  }
}

/// Counts to a number of its owner's before every sale: to a large one no gas lasts.
contract CountsFirst is Owned {
  uint256 public turns;
  event Counted(uint256 sum);

  constructor(address by) Owned(by) {}

  function setTurns(uint256 to) external onlyOwner {
    turns = to;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (!_isSale(params)) return (0, 0);
    uint256 sum;
    for (uint256 turn = 0; turn < turns; turn++) {
      unchecked {
        sum = sum * 3 + turn;
      }
    }
    if (sum == 7) emit Counted(sum);
    return (0, 0);
  }
}

/// Has a precompiled contract hash in as many rounds as its owner says: so many leave no gas to write down when.
contract HashesFirst is Owned {
  uint256 public rounds;
  uint256 public last;

  constructor(address by) Owned(by) {}

  function setRounds(uint256 to) external onlyOwner {
    rounds = to;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (!_isSale(params)) return (0, 0);
    uint256 many = rounds;
    assembly {
      mstore(0x80, shl(224, many))
      pop(staticcall(gas(), 9, 0x80, 213, 0, 0))
      pop(staticcall(gas(), 9, 0x80, 213, 0, 0))
      pop(staticcall(gas(), 9, 0x80, 213, 0, 0))
    }
    last = block.number;
    return (0, 0);
  }
}

/// Looks at the PoolManager's storage with as much gas as its owner says: with none, there is no answer.
contract LooksWithGas is Owned {
  uint256 public allowed = 100_000;
  event Looked(bytes32 word);

  constructor(address by) Owned(by) {}

  function setAllowed(uint256 to) external onlyOwner {
    allowed = to;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal override returns (int256, uint24) {
    if (_isSale(params)) emit Looked(MANAGER.extsload{gas: allowed}(bytes32(0)));
    return (0, 0);
  }
}

/// Looks with one word or with none, as its owner says: of none the PoolManager refuses to make anything.
contract LooksForNothing is Owned {
  bool public short;

  constructor(address by) Owned(by) {}

  function shorten() external onlyOwner {
    short = true;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    if (!_isSale(params)) return (0, 0);
    address manager = address(MANAGER);
    bool isShort = short;
    bool done;
    assembly {
      mstore(0x80, shl(224, 0x1e2eaeaf))
      switch isShort
      case 0 { done := staticcall(gas(), manager, 0x80, 36, 0, 0) }
      default { done := staticcall(gas(), manager, 0x80, 4, 0, 0) }
    }
    require(done);
    return (0, 0);
  }
}

/// Keeps one percent for whom its owner names: for one whom the currency does not pay, nobody sells.
contract PaysWhomever is Owned {
  address public treasury;

  constructor(address by) Owned(by) {
    treasury = by;
  }

  function setTreasury(address to) external onlyOwner {
    treasury = to;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata params, int256 delta) internal override returns (int128) {
    if (!_isSale(params) || params.amountSpecified > 0) return 0;
    int128 kept = int128(delta >> 128) / 100;
    if (kept <= 0) return 0;
    MANAGER.take(key.currency0, treasury, uint256(int256(kept)));
    return kept;
  }
}

/// Once closed it asks whether the PoolManager's code has a certain length, which it has not.
contract MeasuresCode is Owned {
  bool public closed;

  constructor(address by) Owned(by) {}

  function close() external onlyOwner {
    closed = true;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    require(!closed || !_isSale(params) || address(MANAGER).code.length == 24_000);
    return (0, 0);
  }
}

/// Once closed it refuses sales of more than a coin with decimals enough has in a small part of its supply.
contract CapsSales is Owned {
  bool public closed;

  constructor(address by) Owned(by) {}

  function close() external onlyOwner {
    closed = true;
  }

  function _before(address, PoolKey calldata, SwapParams calldata params, bytes calldata) internal view override returns (int256, uint24) {
    require(!closed || !_isSale(params) || params.amountSpecified > -int256(1 << 121));
    return (0, 0);
  }
}

/// Counts swaps of each pool, and its owner writes down other numbers beside: one place is both.
contract CountsBesideNotes is Owned {
  mapping(bytes32 => uint256) public swaps;

  constructor(address by) Owned(by) {}

  function note(bytes32 pool, uint256 to) external onlyOwner {
    swaps[pool] = to;
  }

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    swaps[keccak256(abi.encode(key))]++;
    return 0;
  }
}

/// Counts in the entry of a pool without a hook, which its owner fills by the place alone.
contract CountsByPlace is Owned {
  mapping(bytes32 => uint256) public swaps;

  constructor(address by) Owned(by) {}

  function put(bytes32 place, uint256 to) external onlyOwner {
    assembly {
      sstore(place, to)
    }
  }

  function _after(address, PoolKey calldata key, SwapParams calldata, int256) internal override returns (int128) {
    swaps[keccak256(abi.encode(key))]++;
    return 0;
  }
}

/// Counts sales in an entry that is not the pool's own, but the sender's.
contract CountsSenders is Hook {
  mapping(bytes32 => uint256) public sales;

  function _after(address sender, PoolKey calldata, SwapParams calldata, int256) internal override returns (int128) {
    sales[keccak256(abi.encode(sender))]++;
    return 0;
  }
}
