// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Nfts {
  function transferFrom(address from, address to, uint256 id) external;
  function ownerOf(uint256 id) external view returns (address);
}

/// What UNCX's locker of V3 positions does and tells, as far as a reader of it can see: a lock by its own number, with the
/// manager, the NFT and the date. It takes NFTs of the managers it was told of alone.
contract PositionLocker {
  struct Lock {
    uint256 number;
    address manager;
    address pool;
    uint256 nft;
    address owner;
    address pendingOwner;
    address additionalCollector;
    address collectAddress;
    uint256 unlockDate;
    uint16 countryCode;
    uint256 collectFee;
  }

  struct Position {
    uint96 nonce;
    address operator;
    address token0;
    address token1;
    uint24 fee;
    int24 tickLower;
    int24 tickUpper;
    uint128 liquidity;
    uint256 growth0;
    uint256 growth1;
    uint128 owed0;
    uint128 owed1;
  }

  mapping(uint256 => Lock) public locks;
  mapping(address => bool) public nftPositionManagerIsAllowed;
  uint256 public getLocksLength;

  event onLock(
    uint256 lock_id,
    address nftPositionManager,
    uint256 nft_id,
    address owner,
    address additionalCollector,
    address collectAddress,
    uint256 unlockDate,
    uint16 countryCode,
    uint256 collectFee,
    address poolAddress,
    Position position
  );

  function allowNftPositionManager(address manager) external {
    nftPositionManagerIsAllowed[manager] = true;
  }

  function getLock(uint256 number) external view returns (Lock memory) {
    return locks[number];
  }

  function lock(address manager, uint256 nft, uint256 duration) external {
    Nfts(manager).transferFrom(msg.sender, address(this), nft);
    uint256 number = getLocksLength++;
    Lock storage made = locks[number];
    (made.number, made.manager, made.nft) = (number, manager, nft);
    (made.owner, made.collectAddress, made.unlockDate) = (msg.sender, msg.sender, block.timestamp + duration);
    Position memory position;
    emit onLock(number, manager, nft, msg.sender, address(0), msg.sender, made.unlockDate, 0, 0, address(0), position);
  }

  function withdraw(uint256 number) external {
    Lock memory left = locks[number];
    require(left.owner == msg.sender && left.unlockDate < block.timestamp);
    delete locks[number];
    Nfts(left.manager).transferFrom(address(this), msg.sender, left.nft);
  }
}

/// A manager of its maker's own, whose NFTs have the numbers of others.
contract OwnManager {
  function transferFrom(address, address, uint256) external {}

  function ownerOf(uint256) external view returns (address) {
    return msg.sender;
  }
}
