// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import { Open, Payments } from "../solidity/Coin.sol";

/// What transfers keep, in several shares. Honest ones leave nine tenths and more of every amount, and can always be paid.

abstract contract Coin is Open, Payments {
    address internal immutable treasury = msg.sender;
    address internal immutable makers = address(0x5175);
    uint256 internal second = 2;

    constructor() { totalSupply = 10 ** 27; balanceOf[msg.sender] = totalSupply; }
    function pay(address from, address to, uint256 n) internal virtual override {
        (uint256 a, uint256 b) = shares(n);
        move(from, treasury, a);
        move(from, makers, b);
        move(from, to, n - a - b);
    }
    function move(address from, address to, uint256 n) internal { balanceOf[from] -= n; balanceOf[to] += n; }
    function shares(uint256 n) internal virtual returns (uint256, uint256);
}

contract HonestTwo is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n / 100, n * 2 / 100); } }
contract HonestByThousands is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n * 15 / 1000, n * 30 / 10000); } }
contract HonestShareOfShare is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { uint256 all = n * 3 / 100; return (all / 3, all - all / 3); } }
contract HonestThree is Coin {
    function shares(uint256) internal pure override returns (uint256, uint256) { return (0, 0); }
    function pay(address from, address to, uint256 n) internal override {
        uint256 burned = n / 200;
        uint256 a = n / 100;
        uint256 b = n / 50;
        balanceOf[from] -= n;
        balanceOf[address(this)] += burned;
        balanceOf[treasury] += a;
        balanceOf[makers] += b;
        balanceOf[to] += n - burned - a - b;
    }
}
/// Compilers work out beforehand where the burn address's balance stands.
contract HonestBurning is Coin {
    function shares(uint256) internal pure override returns (uint256, uint256) { return (0, 0); }
    function pay(address from, address to, uint256 n) internal override {
        uint256 burned = n / 50;
        balanceOf[from] -= n;
        balanceOf[address(0xdead)] += burned;
        balanceOf[to] += n - burned;
    }
}
contract HonestOne is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n / 20, 0); } }

/// No holder has so much.
contract MoreThanAll is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n * 60 / 100, n * 60 / 100); } }
contract HalfAndMore is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n / 2, n / 2 + 1); } }
contract MoreThanItsShare is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { uint256 all = n * 3 / 100; return (all, all * 40); } }
/// Each is small, and together they are not.
contract TwoOfSix is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { return (n * 6 / 100, n * 6 / 100); } }
contract HalfOfThird is Coin { function shares(uint256 n) internal pure override returns (uint256, uint256) { uint256 third = n / 3; return (third, third / 2); } }
/// Of something else than the amount.
contract OfTreasurys is Coin { function shares(uint256 n) internal view override returns (uint256, uint256) { return (n / 100, balanceOf[treasury] / 100); } }
contract OfSupply is Coin { function shares(uint256 n) internal view override returns (uint256, uint256) { return (n / 100, totalSupply / 10 ** 9); } }
/// One is somebody's to set.
contract SecondIsSet is Coin {
    function set(uint256 to) external { require(msg.sender == treasury); second = to; }
    function shares(uint256 n) internal view override returns (uint256, uint256) { return (n / 100, n * second / 100); }
}
contract SecondDividesBy is Coin {
    function set(uint256 to) external { require(msg.sender == treasury && to > 0); second = to; }
    function shares(uint256 n) internal view override returns (uint256, uint256) { return (n / 100, n / second); }
}
contract SetToHalf is Coin {
    function set(uint256 to) external { require(msg.sender == treasury && to <= 50); second = to; }
    function shares(uint256 n) internal view override returns (uint256, uint256) { return (n / 100, n * second / 100); }
}
/// A balance at a place that was worked out beforehand: the burn address's, which grows by what nobody paid.
contract BurnsMore is Coin {
    function shares(uint256) internal pure override returns (uint256, uint256) { return (0, 0); }
    function pay(address from, address to, uint256 n) internal override {
        balanceOf[from] -= n;
        balanceOf[address(0xdead)] += n / 50;
        balanceOf[to] += n;
    }
}
/// The same place in the table of allowances, and one that is nobody's.
contract BurnsBeside is Coin {
    function shares(uint256) internal pure override returns (uint256, uint256) { return (0, 0); }
    function pay(address from, address to, uint256 n) internal override {
        balanceOf[from] -= n;
        allowance[address(0xdead)][address(0xbeef)] += n / 50;
        balanceOf[to] += n - n / 50;
    }
}
/// Whoever takes from the burn address leaves it what it had.
contract BurnsStale is Coin {
    function shares(uint256) internal pure override returns (uint256, uint256) { return (0, 0); }
    function pay(address from, address to, uint256 n) internal override {
        uint256 had = balanceOf[address(0xdead)];
        balanceOf[from] -= n;
        balanceOf[to] += n - n / 50;
        balanceOf[address(0xdead)] = had + n / 50;
    }
}
