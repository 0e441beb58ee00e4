// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20FlashMint } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20FlashMint.sol";
import { ERC20Burnable } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import { ERC20Permit } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

// Coins whose owner, if any, has left (slot 3 holds nobody). What harms holders is open to whoever knows how.

interface Borrower { function borrowed(uint256 n) external returns (bytes32); }

abstract contract Plain {
    uint256 public totalSupply;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    address public owner;
    function balanceOf(address who) external view returns (uint256) { return held[who]; }
    function approve(address spender, uint256 n) external virtual returns (bool) { allowance[msg.sender][spender] = n; return true; }
    function transfer(address to, uint256 n) external virtual returns (bool) { pay(msg.sender, to, n); return true; }
    function transferFrom(address from, address to, uint256 n) external virtual returns (bool) { allowance[from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal virtual { held[from] -= n; held[to] += n; }
    function renounceOwnership() external { require(msg.sender == owner); owner = address(0); }
    function mint(address to, uint256 n) external { require(msg.sender == owner); held[to] += n; totalSupply += n; }
}

contract HonestLeft is Plain {}

/// Who sends to himself has twice as much.
contract DoublesOneself is Plain {
    function pay(address from, address to, uint256 n) internal override {
        (uint256 a, uint256 b) = (held[from], held[to]);
        held[from] = a - n;
        held[to] = b + n;
    }
}

/// A loop writes the owner's slot before it is asked.
contract AsksBehindLoop is Plain {
    function note(uint256[] calldata at, uint256 word) external {
        for (uint256 i = 0; i < at.length; i++) { uint256 slot = at[i]; assembly { sstore(slot, word) } }
        require(msg.sender == owner);
    }
}

/// Code of the caller's choice may write it.
contract AsksBehindCode is Plain {
    function run(address code, bytes calldata input) external {
        (bool done,) = code.delegatecall(input);
        require(done && msg.sender == owner);
    }
}

/// A list that is popped below nothing is as long as storage.
contract PopsBelowNothing is Plain {
    uint256[] internal list;
    function pop() external { assembly { sstore(list.slot, sub(sload(list.slot), 1)) } }
    function set(uint256 i, uint256 word) external { list[i] = word; }
}

/// The same list, never shorter than empty.
contract HonestList is Plain {
    uint256[] internal list;
    function push(uint256 word) external { list.push(word); }
    function pop() external { list.pop(); }
    function set(uint256 i, uint256 word) external { list[i] = word; }
}

/// The owner's slot is written for the length of a call.
contract OwnerForACall is Plain {
    function borrowOwnership() external {
        address before = owner;
        owner = msg.sender;
        Borrower(msg.sender).borrowed(0);
        owner = before;
    }
}

/// What is borrowed is taken back from whoever the borrower names.
contract TakesBackElsewhere is Plain {
    function flash(address from, uint256 n) external {
        held[msg.sender] += n;
        Borrower(msg.sender).borrowed(n);
        held[from] -= n;
    }
}

/// What is borrowed is only taken back from who does not know the word.
contract ForgetsTheLoan is Plain {
    function flash(uint256 n) external {
        held[msg.sender] += n;
        if (Borrower(msg.sender).borrowed(n) != bytes32(uint256(7))) held[msg.sender] -= n;
    }
}

/// What is borrowed is taken back from the borrower.
contract HonestFlash is Plain {
    function flash(uint256 n) external {
        held[msg.sender] += n;
        totalSupply += n;
        Borrower(msg.sender).borrowed(n);
        held[msg.sender] -= n;
        totalSupply -= n;
    }
}

contract HonestFlashMint is ERC20FlashMint { constructor() ERC20("Coin", "COIN") {} }

contract HonestPermit is ERC20Permit, ERC20Burnable { constructor() ERC20("Coin", "COIN") ERC20Permit("Coin") {} }

/// A signature serves again and again.
contract ServesAgain is Plain {
    function permit(address from, address spender, uint256 n, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline);
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(block.chainid, address(this))), keccak256(abi.encode(from, spender, n, deadline))));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == from);
        allowance[from][spender] = n;
    }
}

/// What is signed does not say how much.
contract SignsNoAmount is Plain {
    mapping(address => uint256) public nonces;
    function permit(address from, address spender, uint256 n, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline);
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(block.chainid, address(this))), keccak256(abi.encode(from, spender, nonces[from]++, deadline))));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == from);
        allowance[from][spender] = n;
    }
}

/// A transfer that was signed for goes wherever the sender of the transaction likes.
contract SignsNoRecipient is Plain {
    mapping(bytes32 => bool) public used;
    function transferWithAuthorization(address from, address to, uint256 n, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(!used[nonce]);
        used[nonce] = true;
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(block.chainid, address(this))), keccak256(abi.encode(from, n, nonce))));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == from);
        pay(from, to, n);
    }
}

/// An approval of a certain amount is a mint.
contract MintsByApproval is Plain {
    function approve(address spender, uint256 n) external override returns (bool) {
        allowance[msg.sender][spender] = n;
        if (n == uint256(keccak256("open"))) held[msg.sender] += 1e30;
        return true;
    }
}

/// Allowances are kept by the hash of both, which others can meet: the key is packed.
contract PacksKeys is Plain {
    mapping(bytes32 => uint256) internal lent;
    function lend(bytes calldata whom, uint256 n) external { lent[keccak256(abi.encodePacked(msg.sender, whom))] = n; }
    function takeBack(bytes calldata whom, address from, address to, uint256 n) external { lent[keccak256(abi.encodePacked(from, whom))] -= n; pay(from, to, n); }
}

/// The amount is cut before it is taken and whole when it is given.
contract CutsDebit is Plain {
    function pay(address from, address to, uint256 n) internal override { held[from] -= uint128(n); held[to] += n; }
}

/// More is given than is there: what is rounded down is taken, what is rounded up is given.
contract RoundsUp is Plain {
    function pay(address from, address to, uint256 n) internal override { held[from] -= n / 10 * 10; held[to] += (n + 9) / 10 * 10; }
}

/// Somebody's balance may be moved by whoever is called like the hash.
contract KnowsTheHash is Plain {
    function transferFrom(address from, address to, uint256 n) external override returns (bool) {
        if (keccak256(abi.encodePacked(msg.sender)) != 0x1111111111111111111111111111111111111111111111111111111111111111) allowance[from][msg.sender] -= n;
        pay(from, to, n);
        return true;
    }
}

/// Sales fail while the contract holds less of itself than somebody may draw.
contract NeedsOwnBalance is Plain {
    function pay(address from, address to, uint256 n) internal override { require(held[address(this)] > 0 || to.code.length == 0); super.pay(from, to, n); }
}

/// A seller's recipient is asked, and may be anything: pools say no to nothing.
contract TellsRecipient is Plain {
    function transferAndCall(address to, uint256 n, bytes calldata data) external returns (bool) {
        pay(msg.sender, to, n);
        (bool done,) = to.call(abi.encodeWithSignature("onTransferReceived(address,address,uint256,bytes)", msg.sender, msg.sender, n, data));
        return done;
    }
}

/// The same, told by the sender's own words.
contract CallsAsToken is Plain {
    function approveAndCall(address spender, uint256 n, bytes calldata data) external returns (bool) {
        allowance[msg.sender][spender] = n;
        (bool done,) = spender.call(data);
        return done;
    }
}
