// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Gated } from "./Gated.sol";

interface IOther {
    function allows(address who) external view returns (bool);
    function check(address from, address to, uint256 n) external;
    function note(address who, uint256 n) external;
    function sell(uint256 n, address to) external;
}

// Transfers that another contract, which the code names, is told of or is paid by.

IOther constant OTHER = IOther(0x1234567890123456789012345678901234567890);

contract AsksOther is Gated { function ask(address from, address) internal view override { require(OTHER.allows(from)); } }
contract AsksOtherOfSales is Gated { function ask(address from, address to) internal view override { if (to == pair) require(OTHER.allows(from)); } }
contract ChecksSalesByOther is Gated { function ask(address from, address to) internal override { if (to == pair && from != owner) OTHER.check(from, to, 0); } }
contract ChecksByOther is Gated { function move(address from, address to, uint256 n) internal override { OTHER.check(from, to, n); super.move(from, to, n); } }
contract StopsWithOther is Gated { function move(address from, address to, uint256 n) internal override { try OTHER.check(from, to, n) {} catch { revert("refused"); } super.move(from, to, n); } }

contract InnocentTold is Gated { function move(address from, address to, uint256 n) internal override { super.move(from, to, n); try OTHER.note(from, balances[from]) {} catch {} } }
contract InnocentSaleBySales is Gated { function move(address from, address to, uint256 n) internal override { if (to == pair) OTHER.sell(balances[address(this)], owner); super.move(from, to, n); } }
contract InnocentSale is Gated { function move(address from, address to, uint256 n) internal override { super.move(from, to, n); if (from != pair) OTHER.sell(balances[address(this)], owner); } }

/// The low bits of a fee are asked for, and all of it is written.
abstract contract Taxed is Gated {
    uint256 internal fee;
    function move(address from, address to, uint256 n) internal override { uint256 taken = n * fee / 100; balances[from] -= n; balances[to] += n - taken; balances[owner] += taken; }
}
contract AsksLowBits is Taxed { function set(uint256 n) external onlyOwner { require(n & 127 <= 10); fee = n; } }
contract AsksLowByte is Taxed { function set(uint256 n) external onlyOwner { require(uint8(n) <= 10); fee = n; } }
contract InnocentByte is Taxed { function set(uint8 n) external onlyOwner { require(n <= 10); fee = n; } }
contract InnocentLowByte is Taxed { function set(uint256 n) external onlyOwner { require(uint8(n) <= 10); fee = uint8(n); } }
contract InnocentSixteen is Taxed { function set(uint16 n) external onlyOwner { require(n <= 10); fee = n; } }
contract InnocentPacked is Gated {
    uint16 internal buy; uint16 internal sell;
    function set(uint16 n, uint16 m) external onlyOwner { require(n <= 1000 && m <= 1000); buy = n; sell = m; }
    function move(address from, address to, uint256 n) internal override { uint256 taken = n * (to == pair ? sell : buy) / 10000; balances[from] -= n; balances[to] += n - taken; balances[owner] += taken; }
}
