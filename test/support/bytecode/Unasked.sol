// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Gated } from "./Gated.sol";

/// Numbers that wrap around because nothing asks, or because what is asked wraps around itself.

abstract contract Whole is Gated {
    function isSpared(address) internal virtual view returns (bool) { return false; }
    function move(address from, address to, uint256 n) internal virtual override {
        unchecked {
            require(isSpared(from) || balances[from] >= n);
            balances[from] -= n;
            balances[to] += n;
        }
    }
}

contract SparesOwner is Whole { function isSpared(address from) internal override view returns (bool) { return from == owner; } }

contract SparesMarked is Whole {
    mapping(address => bool) internal marked;
    function mark(address who, bool yes) external onlyOwner { marked[who] = yes; }
    function isSpared(address from) internal override view returns (bool) { return marked[from]; }
}

/// That something is there says nothing of how much.
contract AsksForSome is Whole {
    function isSpared(address from) internal override view returns (bool) { return from == owner && balances[from] > 0; }
}

contract BurnsBelowZero is Gated {
    function burn(uint256 n) external { unchecked { balances[msg.sender] -= n; totalSupply -= n; } }
}

contract AsksSumThatWraps is Gated {
    function sendFor(address to, uint256 n, uint256 fee) external {
        unchecked {
            require(balances[msg.sender] >= n + fee);
            balances[msg.sender] -= n + fee;
            balances[to] += n;
            balances[owner] += fee;
        }
    }
}

contract InnocentUnchecked is Whole {
    function burn(uint256 n) external { require(n <= balances[msg.sender]); unchecked { balances[msg.sender] -= n; totalSupply -= n; } }
}

/// What was paid in is taken out of what the contract holds.
contract InnocentPool is Whole {
    mapping(address => uint256) internal staked;
    function stake(uint256 n) external { balances[msg.sender] -= n; balances[address(this)] += n; staked[msg.sender] += n; }
    function unstake(uint256 n) external { staked[msg.sender] -= n; unchecked { balances[address(this)] -= n; } balances[msg.sender] += n; }
}

contract InnocentBatchAsked is Whole {
    function batch(address[] calldata to, uint256[] calldata n) external {
        uint256 all;
        for (uint256 i; i < n.length; i++) all += n[i];
        require(balances[msg.sender] >= all);
        unchecked { for (uint256 i; i < n.length; i++) { balances[msg.sender] -= n[i]; balances[to[i]] += n[i]; } }
    }
}

contract InnocentParts is Gated {
    function move(address from, address to, uint256 n) internal override {
        uint256 fee = n / 100;
        require(balances[from] >= n);
        unchecked { balances[from] -= fee; balances[owner] += fee; balances[from] -= n - fee; balances[to] += n - fee; }
    }
}

abstract contract Rated is Gated {
    uint256 internal rate;
    uint256 internal other;
    function move(address from, address to, uint256 n) internal override {
        uint256 fee = n * rate / 100;
        balances[from] -= n;
        balances[to] += n - fee;
        balances[owner] += fee;
    }
}

contract BoundsSumThatWraps is Rated { function set(uint256 n, uint256 m) external onlyOwner { unchecked { require(n + m <= 25); } rate = n; other = m; } }
contract BoundsStepThatWraps is Rated { function set(uint256 n) external onlyOwner { unchecked { require(n + 5 <= 25); } rate = n; } }
contract BoundsRest is Rated { function set(uint256 n) external onlyOwner { require(n % 100 <= 10); rate = n; } }
contract BoundsDifference is Rated { function set(uint256 n, uint256 m) external onlyOwner { require(n - m <= 10); rate = n; other = m; } }
contract BoundsProduct is Rated { function set(uint256 n, uint256 m) external onlyOwner { require(n * m <= 10); rate = n; } }
contract BoundsQuotient is Rated { function set(uint256 n, uint256 m) external onlyOwner { require(n / m <= 10); rate = n; } }
contract BoundsDisguised is Rated { function set(uint256 n) external onlyOwner { require(n ^ 0xfff000 <= 10); rate = n; } }

contract InnocentSum is Rated { function set(uint256 n, uint256 m) external onlyOwner { rate = n; other = m; require(rate + other <= 25); } }
contract InnocentSmallSum is Rated { function set(uint8 n, uint8 m) external onlyOwner { unchecked { require(uint256(n) + m <= 25); } rate = n; other = m; } }
contract InnocentDouble is Rated { function set(uint256 n) external onlyOwner { require(n * 2 <= 20); rate = n; } }
contract InnocentNext is Rated { function set(uint256 n) external onlyOwner { require(n + 5 <= 25); rate = n; } }
