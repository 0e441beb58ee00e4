// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Gated } from "./Gated.sol";

/// Limits that leave holders room, and who is spared them.

abstract contract Most is Gated {
    uint256 internal most = 10 ** 27;
    function setMost(uint256 n) external virtual onlyOwner { require(n >= totalSupply / 100); most = n; }
    function move(address from, address to, uint256 n) internal override { check(from, to, n); super.move(from, to, n); }
    function check(address from, address to, uint256 n) internal virtual view;
}

abstract contract Sparing is Most {
    mapping(address => bool) internal spared;
    function spare(address who, bool yes) external onlyOwner { spared[who] = yes; }
}

contract InnocentOrOwner is Most { function check(address from, address, uint256 n) internal override view { require(n <= most || from == owner); } }
contract InnocentSparing is Sparing { function check(address from, address to, uint256 n) internal override view { if (!spared[from] && !spared[to]) require(n <= most); } }

contract InnocentBoth is Sparing {
    uint256 internal held = 10 ** 27;
    function setHeld(uint256 n) external onlyOwner { require(n >= totalSupply / 50); held = n; }
    function check(address from, address to, uint256 n) internal override view {
        if (spared[from] || spared[to]) return;
        require(n <= most);
        if (to != pair) require(balances[to] + n <= held);
    }
}

contract LittleOrOwner is Most {
    function setMost(uint256 n) external override onlyOwner { require(n > 0); most = n; }
    function check(address from, address, uint256 n) internal override view { require(n <= most || from == owner); }
}

contract LeastOrOwner is Most { function check(address from, address, uint256 n) internal override view { require(n >= most || from == owner); } }
contract HeldOrOwner is Most { function check(address, address to, uint256 n) internal override view { require(balances[to] + n <= most || to == owner); } }

contract LittleForOthers is Sparing {
    function setMost(uint256 n) external override onlyOwner { require(n > 0); most = n; }
    function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= most); }
}

/// Nothing says how much this has been since the contract's birth.
contract BornForOthers is Sparing {
    uint256 internal born;
    constructor(uint256 n) { born = n; }
    function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= born); }
}

contract OpenToSpared is Sparing {
    bool internal open;
    function go(bool yes) external onlyOwner { open = yes; }
    function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(open && n <= most); }
}

/// Where a pool is no longer spared it takes no more sales.
contract HeldByPools is Sparing { function check(address, address to, uint256 n) internal override view { if (!spared[to]) require(balances[to] + n <= most); } }

contract RoomForOthers is Sparing { function check(address from, address, uint256 n) internal override view { require(n <= most && !spared[from]); } }

/// After a date of the code's own only the spared sell: no limit that leaves anybody room.
contract DatedForOthers is Sparing { function check(address from, address, uint256) internal override view { if (!spared[from]) require(block.timestamp < 1_900_000_000); } }

/// The code itself says how little is let through.
contract TrifleForOthers is Sparing { function check(address from, address, uint256 n) internal override view { require(spared[from] || n <= 1 gwei); } }
contract TrifleToPair is Sparing { function check(address from, address to, uint256 n) internal override view { if (to == pair && !spared[from]) require(n <= 1 gwei); } }
contract PartForOthers is Sparing { function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= balances[from] / 1e6); } }
contract ShareForOthers is Sparing { function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= totalSupply / 1e12); } }
contract TrifleHeldByPools is Sparing { function check(address, address to, uint256 n) internal override view { if (!spared[to]) require(balances[to] + n <= 1 gwei); } }
contract TrifleOrOwner is Gated { function move(address from, address to, uint256 n) internal override { require(n <= 1 gwei || from == owner); super.move(from, to, n); } }
contract TrifleOfOthers is Gated { function move(address from, address to, uint256 n) internal override { if (to == pair && from != owner) require(n <= 1 gwei); super.move(from, to, n); } }

contract InnocentTenthForOthers is Sparing { function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= balances[from] / 10); } }
contract InnocentShareForOthers is Sparing { function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= totalSupply / 100); } }
contract InnocentWidth is Sparing { function check(address from, address, uint256 n) internal override view { if (!spared[from]) require(n <= type(uint112).max); } }
contract InnocentPurchases is Gated { function move(address from, address to, uint256 n) internal override { if (from == pair) require(n <= 1 gwei); super.move(from, to, n); } }
/// Enough of the supply, which the chain tells.
contract InnocentWhereRead is Sparing { function check(address from, address, uint256 n) internal override view { require(spared[from] || n <= 5e24); } }
