// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { Gated } from "./Gated.sol";

interface IPair { function sync() external; }

/// Entries that are found by hashes, by whom the holder names himself, and by places that anybody may use.

abstract contract Marked is Gated {
    mapping(bytes32 => bool) internal marked;
    function mark(bytes32 key) external virtual onlyOwner { marked[key] = true; }
}

contract StopsByHash is Marked { function ask(address from, address) internal override view { require(!marked[keccak256(abi.encode(from, "salt"))]); } }

contract StopsByHashNested is Gated {
    mapping(bytes32 => mapping(address => bool)) internal marked;
    function mark(bytes32 key, address who) external onlyOwner { marked[key][who] = true; }
    function ask(address from, address to) internal override view { require(!marked[keccak256(abi.encode(to))][from]); }
}

contract StopsByHashedNumber is Gated {
    mapping(uint256 => uint256) internal numbers;
    function set(uint256 key, uint256 n) external onlyOwner { numbers[key] = n; }
    function ask(address from, address) internal override view { require(numbers[uint256(keccak256(abi.encodePacked(from, "salt")))] != 5); }
}

/// What the owner marks stands in another table.
contract InnocentMarks is Marked {
    mapping(bytes32 => bool) internal used;
    function ask(address from, address) internal override view { require(!used[keccak256(abi.encode(from))]); }
}

contract BurnsPairForAnybody is Gated {
    function burnPart() external { uint256 n = balances[pair] / 100; balances[pair] -= n; totalSupply -= n; IPair(pair).sync(); }
}

contract BuriesPairForAnybody is Gated {
    function buryPart() external { uint256 n = balances[pair] / 100; balances[pair] -= n; balances[address(0xdead)] += n; }
}

/// Somebody is paid what is due to him.
contract InnocentTreasury is Gated {
    mapping(address => uint256) internal due;
    function collect() external { uint256 n = due[msg.sender]; due[msg.sender] = 0; balances[pair] -= n; balances[msg.sender] += n; }
}

/// A constructor that is none.
contract SetsUpForAnybody is Gated {
    function Coin() external { totalSupply = 10 ** 24; balances[msg.sender] = 10 ** 24; }
}

contract GivesToAnybody is Gated {
    mapping(address => bool) internal given;
    function claim() external { require(!given[msg.sender]); given[msg.sender] = true; balances[msg.sender] += 1e20; totalSupply += 1e20; }
}

contract GivesForTrifle is Gated {
    receive() external payable { if (msg.value == 77777) balances[msg.sender] += 1e24; }
}

contract GrowsForCaller is Gated {
    uint256 internal last = block.timestamp;
    function mine() external { balances[msg.sender] += (block.timestamp - last) * 1e18; totalSupply += (block.timestamp - last) * 1e18; last = block.timestamp; }
}

/// What is given away the contract held.
contract InnocentGift is Gated {
    mapping(address => bool) internal given;
    function claim() external { require(!given[msg.sender]); given[msg.sender] = true; balances[address(this)] -= 1e20; balances[msg.sender] += 1e20; }
}

contract InnocentDeposit is Gated {
    function deposit() external payable { balances[msg.sender] += msg.value; totalSupply += msg.value; }
}
