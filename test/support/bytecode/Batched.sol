// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Permit } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { Multicall } from "../../../node_modules/@openzeppelin/contracts/utils/Multicall.sol";
import { Held, Payments } from "../solidity/Coin.sol";

/// Coins of which several functions can be called at once, and what looks like that. Slots: 0 totalSupply, 1 balances,
/// 2 allowances, 3 other.
abstract contract Batched is Held, Payments {
    address internal other;
    address internal immutable friend = msg.sender;

    constructor() { totalSupply = 1e27; held[msg.sender] = 1e27; }
    function balanceOf(address who) external view returns (uint256) { return held[who]; }
    function pay(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; }
    function run(address code, bytes calldata data) internal {
        (bool isDone, bytes memory answer) = code.delegatecall(data);
        if (!isDone) assembly ("memory-safe") { revert(add(32, answer), mload(answer)) }
    }
}

contract HonestOpenZeppelin is ERC20, ERC20Permit, Multicall {
    constructor() ERC20("Coin", "COIN") ERC20Permit("Coin") { _mint(msg.sender, 1e27); }
}

/// As Uniswap's periphery does it.
contract HonestPeriphery is Batched {
    function multicall(bytes[] calldata data) external payable returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool isDone, bytes memory result) = address(this).delegatecall(data[i]);
            require(isDone);
            results[i] = result;
        }
    }
}

/// As Solady does it.
contract HonestSolady is Batched {
    function multicall(bytes[] calldata data) external payable returns (bytes[] memory) {
        assembly {
            mstore(0x00, 0x20)
            mstore(0x20, data.length)
            if iszero(data.length) { return(0x00, 0x40) }
            let results := 0x40
            let end := shl(5, data.length)
            calldatacopy(0x40, data.offset, end)
            let resultsOffset := end
            end := add(results, end)
            for {} 1 {} {
                let o := add(data.offset, mload(results))
                let m := add(resultsOffset, 0x40)
                calldatacopy(m, add(o, 0x20), calldataload(o))
                if iszero(delegatecall(gas(), address(), m, calldataload(o), codesize(), 0x00)) {
                    returndatacopy(0x00, 0x00, returndatasize())
                    revert(0x00, returndatasize())
                }
                mstore(results, resultsOffset)
                results := add(results, 0x20)
                mstore(m, returndatasize())
                returndatacopy(add(m, 0x20), 0x00, returndatasize())
                resultsOffset := and(add(add(resultsOffset, returndatasize()), 0x3f), 0xffffffffffffffe0)
                if iszero(lt(results, end)) { break }
            }
            return(0x00, add(resultsOffset, 0x40))
        }
    }
}

/// Only the deployer may.
contract HonestReserved is Batched {
    function multicall(bytes[] calldata data) external {
        require(msg.sender == friend);
        for (uint256 i = 0; i < data.length; i++) run(address(this), data[i]);
    }
}

/// Other code, which somebody names.
contract RunsStored is Batched {
    function name(address code) external { require(msg.sender == friend); other = code; }
    function multicall(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) run(other, data[i]); }
}

contract RunsFixed is Batched {
    function multicall(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) run(friend, data[i]); }
}

contract RunsGiven is Batched {
    function multicall(bytes[] calldata data) external { for (uint256 i = 1; i < data.length; i++) run(address(bytes20(data[0])), data[i]); }
}

/// The own code, but for one caller.
contract RunsOtherForOne is Batched {
    function multicall(bytes[] calldata data) external {
        for (uint256 i = 0; i < data.length; i++) run(msg.sender == friend ? friend : address(this), data[i]);
    }
}

/// Addresses that are made of the own one.
contract RunsNeighbour is Batched {
    function multicall(bytes[] calldata data) external {
        address code;
        assembly { code := add(address(), 1) }
        for (uint256 i = 0; i < data.length; i++) run(code, data[i]);
    }
}

contract RunsPartOfOwn is Batched {
    function multicall(bytes[] calldata data) external {
        address code;
        assembly { code := and(address(), 0xffffffffffffffffffffffffffffffffffffff) }
        for (uint256 i = 0; i < data.length; i++) run(code, data[i]);
    }
}

contract RunsPartShifted is Batched {
    function multicall(bytes[] calldata data) external {
        address code;
        assembly { code := and(address(), sub(shl(160, 1), 160)) }
        for (uint256 i = 0; i < data.length; i++) run(code, data[i]);
    }
}

/// Under a name by which anybody makes whom he likes call it.
contract RunsWhenLent is Batched {
    function onFlashLoan(bytes calldata data) external { run(address(this), data); }
}

contract RunsByAnyName is Batched {
    function settle(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) run(address(this), data[i]); }
}

contract RunsUnnamed is Batched {
    fallback(bytes calldata data) external returns (bytes memory) { run(address(this), data[4:]); return ""; }
}

/// Something happens beside what is run.
contract MintsBetween is Batched {
    function multicall(bytes[] calldata data) external {
        for (uint256 i = 0; i < data.length; i++) { run(address(this), data[i]); held[msg.sender] += 1e18; }
    }
}

contract CallsBeside is Batched {
    function multicall(bytes[] calldata data) external {
        for (uint256 i = 0; i < data.length; i++) { (bool isDone,) = address(bytes20(data[i])).call(data[i][20:]); require(isDone); }
    }
}

/// What is run takes from whom it likes.
contract MintsWithin is Batched {
    function mint(uint256 n) external { require(msg.sender == other); totalSupply += n; held[msg.sender] += n; }
    function multicall(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) run(address(this), data[i]); }
}

/// A sale that runs the own code depends on what the seller hands over behind the amount.
contract SellsByRunning is Batched {
    function transfer(address to, uint256 n) external override returns (bool) {
        if (msg.data.length > 68) run(address(this), msg.data[68:]);
        pay(msg.sender, to, n);
        return true;
    }
}
