// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20FlashMint } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20FlashMint.sol";

// Coins that tell a recipient what came to him, and coins that are lent for the length of a call. Nobody owns them.

interface Receiver {
    function onTransferReceived(address operator, address from, uint256 n, bytes calldata data) external returns (bytes4);
    function onApprovalReceived(address owner, uint256 n, bytes calldata data) external returns (bytes4);
    function onTokenTransfer(address from, uint256 n, bytes calldata data) external;
    function receiveApproval(address from, uint256 n, address token, bytes calldata data) external;
    function transferFrom(address from, address to, uint256 n) external returns (bool);
    function redeem(uint256 n, address to, address owner) external returns (uint256);
    function transfer(address to, uint256 n) external returns (bool);
}

interface Borrower { function onFlashLoan(address initiator, address token, uint256 n, uint256 fee, bytes calldata data) external returns (bytes32); }

abstract contract Coin is ERC20 {
    error Refused(address who);
    constructor() ERC20("Coin", "COIN") {}

    function told(address to, address from, uint256 n, bytes memory data) internal {
        if (to.code.length == 0) revert Refused(to);
        try Receiver(to).onTransferReceived(msg.sender, from, n, data) returns (bytes4 answer) {
            if (answer != Receiver.onTransferReceived.selector) revert Refused(to);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert Refused(to);
            assembly ("memory-safe") { revert(add(reason, 0x20), mload(reason)) }
        }
    }

    function toldSpender(address spender, uint256 n, bytes memory data) internal {
        if (spender.code.length == 0) revert Refused(spender);
        try Receiver(spender).onApprovalReceived(msg.sender, n, data) returns (bytes4 answer) {
            if (answer != Receiver.onApprovalReceived.selector) revert Refused(spender);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert Refused(spender);
            assembly ("memory-safe") { revert(add(reason, 0x20), mload(reason)) }
        }
    }
}

contract HonestTells is Coin {
    function transferAndCall(address to, uint256 n) external returns (bool) { return transferAndCall(to, n, ""); }
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        if (!transfer(to, n)) revert Refused(to);
        told(to, msg.sender, n, data);
        return true;
    }
    function transferFromAndCall(address from, address to, uint256 n) external returns (bool) { return transferFromAndCall(from, to, n, ""); }
    function transferFromAndCall(address from, address to, uint256 n, bytes memory data) public returns (bool) {
        if (!transferFrom(from, to, n)) revert Refused(to);
        told(to, from, n, data);
        return true;
    }
    function approveAndCall(address spender, uint256 n) external returns (bool) { return approveAndCall(spender, n, ""); }
    function approveAndCall(address spender, uint256 n, bytes memory data) public returns (bool) {
        if (!approve(spender, n)) revert Refused(spender);
        toldSpender(spender, n, data);
        return true;
    }
}

/// ERC-677.
contract HonestTellsContracts is Coin {
    event Transfer(address indexed from, address indexed to, uint256 n, bytes data);
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        emit Transfer(msg.sender, to, n, data);
        if (to.code.length > 0) Receiver(to).onTokenTransfer(msg.sender, n, data);
        return true;
    }
}

contract HonestTellsSpender is Coin {
    function approveAndCall(address spender, uint256 n, bytes memory data) public returns (bool) {
        approve(spender, n);
        Receiver(spender).receiveApproval(msg.sender, n, address(this), data);
        return true;
    }
}

contract HonestTellsCheaply is Coin {
    function transferAndCall(address to, uint256 n, bytes calldata data) public returns (bool) {
        _transfer(msg.sender, to, n);
        Receiver(to).onTransferReceived(msg.sender, msg.sender, n, data);
        return true;
    }
}

/// Text that is handed in and told, and does nothing.
contract HonestNote is Coin {
    event Noted(address who, bytes text);
    function note(bytes memory text) external { emit Noted(msg.sender, text); }
    function sum(bytes memory text) external pure returns (uint256 n) { for (uint256 i = 0; i < text.length; i++) n += uint8(text[i]); }
}

/// The recipient's name for the function is the sender's.
contract NamesFunction is Coin {
    function transferAndCall(address to, uint256 n, bytes4 name, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        (bool done,) = to.call(abi.encodeWithSelector(name, msg.sender, n, data));
        return done;
    }
}

/// All that is called is the sender's.
contract CallsWhatever is Coin {
    function approveAndCall(address spender, uint256 n, bytes memory data) public returns (bool) {
        approve(spender, n);
        (bool done,) = spender.call(data);
        return done;
    }
}

/// The name is written before the sender's words, and these may be written over it.
contract WritesOver is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        bytes memory out = abi.encodeWithSelector(Receiver.onTransferReceived.selector, msg.sender, msg.sender, n, data);
        uint256 at = uint64(n >> 128);
        assembly { mstore(add(out, at), mload(add(data, 0x20))) }
        (bool done,) = to.call(out);
        return done;
    }
}

/// The same, a whole number behind: so far that it is before.
contract WritesAround is Coin {
    function transferAndCall(address to, uint256 n, uint256 at, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        bytes memory out = abi.encodeWithSelector(Receiver.onTransferReceived.selector, msg.sender, msg.sender, n, data);
        assembly { mstore(add(add(out, 0x40), at), mload(add(data, 0x20))) }
        (bool done,) = to.call(out);
        return done;
    }
}

/// The words' length is not what was read of them: the next piece of memory is among them.
contract WritesShort is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        uint256 length = data.length;
        assembly { mstore(0x40, data) }
        bytes memory out = abi.encodeWithSelector(Receiver.onTransferReceived.selector, msg.sender, msg.sender, n);
        assembly { calldatacopy(add(data, 0x20), 0x84, length) }
        (bool done,) = to.call(out);
        return done;
    }
}

/// Memory begins where the sender says.
contract BeginsAnywhere is Coin {
    function transferAndCall(address to, uint256 n, uint256 at, bytes32 word) public returns (bool) {
        _transfer(msg.sender, to, n);
        require(at < 1 << 32);
        assembly {
            mstore(at, shl(224, 0x88a7ca5c))
            mstore(0x200, word)
            if iszero(call(gas(), to, 0, at, 0x84, 0, 0)) { revert(0, 0) }
        }
        return true;
    }
}

/// A copy within memory goes where the sender says.
contract CopiesAnywhere is Coin {
    function transferAndCall(address to, uint256 n, uint256 less, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        require(less < 1 << 32);
        bytes memory out = abi.encodeWithSelector(Receiver.onTransferReceived.selector, msg.sender, msg.sender, n, data);
        assembly { mcopy(sub(add(out, 0x40), less), add(data, 0x20), 0x20) }
        (bool done,) = to.call(out);
        return done;
    }
}

/// A loop of the sender's length writes from the beginning of the call on.
contract LoopsOver is Coin {
    function transferAndCall(address to, uint256 n, uint256[] calldata words, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        bytes memory out = abi.encodeWithSelector(Receiver.onTransferReceived.selector, msg.sender, msg.sender, n, data);
        for (uint256 i = 0; i < words.length; i++) { uint256 word = words[i]; assembly { mstore(add(out, mul(i, 32)), word) } }
        (bool done,) = to.call(out);
        return done;
    }
}

/// The recipient is told first, and what the sender had then counts.
contract TellsFirst is Coin {
    mapping(address => uint256) internal held;
    function balanceOf(address who) public view override returns (uint256) { return held[who]; }
    function _update(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; }
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        uint256 had = held[msg.sender];
        require(had >= n);
        told(to, msg.sender, n, data);
        held[msg.sender] = had - n;
        held[to] += n;
        return true;
    }
}

/// What the recipient of the call is told to do is a transfer of somebody's: also by this coin, which some allow to take theirs.
contract TellsToTake is Coin {
    function transferAndCall(address to, address from, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        Receiver(to).transferFrom(from, msg.sender, uint256(bytes32(data)));
        return true;
    }
}

/// Somebody else's coins are sent, for whoever tells the recipient.
contract TellsForOthers is Coin {
    function transferFromAndCall(address from, address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(from, to, n);
        told(to, from, n, data);
        return true;
    }
}

/// What the recipient refuses he has all the same.
contract TellsInVain is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        try Receiver(to).onTransferReceived(msg.sender, msg.sender, n, data) returns (bytes4) { return true; } catch { return false; }
    }
}

/// A vault is told of coins that it was not given.
contract TellsOfNothing is Coin {
    function tell(address to, uint256 n, bytes memory data) public { told(to, msg.sender, n, data); }
}

/// It is told of more than it was given.
contract TellsOfMore is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        told(to, msg.sender, n * 2, data);
        return true;
    }
}

/// It is told twice of what it was given once.
contract TellsTwice is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        told(to, msg.sender, n, data);
        told(to, msg.sender, n, data);
        return true;
    }
}

/// Somebody is told of what another one was given.
contract TellsAnother is Coin {
    function transferAndCall(address to, address other, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        told(other, msg.sender, n, data);
        return true;
    }
}

/// A spender is told of an allowance that was not given.
contract TellsOfNoAllowance is Coin {
    function approveAndCall(address spender, uint256 n, bytes memory data) public returns (bool) {
        approve(spender, n / 2);
        toldSpender(spender, n, data);
        return true;
    }
}

/// Whoever's coins are told of, they are asked to unlock: not a word of a coin's.
contract TellsToUnlock is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        (bool done,) = to.call(abi.encodeWithSignature("unlock(bytes)", data));
        return done;
    }
}

/// The words go to another coin, as an errand of this one's.
contract TellsToBurn is Coin {
    function transferAndCall(address to, address from, uint256 n) public returns (bool) {
        _transfer(msg.sender, to, n);
        (bool done,) = to.call(abi.encodeWithSignature("burnFrom(address,uint256)", from, n));
        return done;
    }
}

/// A recipient who answers rightly gets some more.
contract RewardsAnswer is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        if (Receiver(to).onTransferReceived(msg.sender, msg.sender, n, data) == 0x12345678) _mint(to, n);
        return true;
    }
}

contract HonestLends is ERC20FlashMint { constructor() ERC20("Coin", "COIN") {} }

/// For a fee that is burned.
contract HonestLendsForFee is ERC20FlashMint {
    constructor() ERC20("Coin", "COIN") {}
    function _flashFee(address, uint256 n) internal pure override returns (uint256) { return n / 1000; }
}

/// For a fee that goes to an account.
contract HonestLendsForSomebody is ERC20FlashMint {
    constructor() ERC20("Coin", "COIN") {}
    function _flashFee(address, uint256 n) internal pure override returns (uint256) { return n / 1000; }
    function _flashFeeReceiver() internal pure override returns (address) { return address(0x00000000000000000000000000000000DeaDBeef); }
}

abstract contract Lends is Coin {
    bytes32 internal constant DONE = keccak256("ERC3156FlashBorrower.onFlashLoan");
    function asked(Borrower who, uint256 n, bytes memory data) internal {
        require(who.onFlashLoan(msg.sender, address(this), n, 0, data) == DONE);
    }
}

/// Without an allowance: the borrower has asked for it.
contract HonestLendsItself is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(msg.sender, n);
    }
}

/// What is taken back is less.
contract TakesLessBack is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(msg.sender, n - 1);
    }
}

/// What is taken back is what is left.
contract TakesWhatIsLeft is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        uint256 left = balanceOf(msg.sender);
        _burn(msg.sender, left < n ? left : n);
    }
}

/// What is taken back is taken from somebody who allowed nothing.
contract TakesFromOthers is Lends {
    function flashLoan(address from, uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(from, n);
    }
}

/// Some need not give it back.
contract LetsKeep is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        if (n != 123456789) _burn(msg.sender, n);
    }
}

/// What is taken back may be taken from nothing.
contract TakesFromNothing is Coin {
    mapping(address => uint256) internal held;
    function balanceOf(address who) public view override returns (uint256) { return held[who]; }
    function _update(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; }
    function flashLoan(uint256 n, bytes memory data) external {
        held[msg.sender] += n;
        require(Borrower(msg.sender).onFlashLoan(msg.sender, address(this), n, 0, data) == 0);
        unchecked { held[msg.sender] -= n; }
    }
}

/// Lent once, taken back once, and given once more.
contract LendsTwice is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(msg.sender, n);
        _mint(msg.sender, n / 1000);
    }
}

/// How much is taken back the borrower's answer says.
contract AsksHowMuch is Lends {
    function flashLoan(uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        _burn(msg.sender, uint256(Borrower(msg.sender).onFlashLoan(msg.sender, address(this), n, 0, data)));
    }
}

/// The amount that is taken back was written down, and may be another by then.
contract WritesLoanDown is Lends {
    mapping(address => uint256) internal lent;
    function flashLoan(uint256 n, bytes memory data) external {
        lent[msg.sender] = n;
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(msg.sender, lent[msg.sender]);
    }
}

/// Lent to whoever the sender names, who is not asked.
contract LendsToOthers is Lends {
    function flashLoan(address to, uint256 n, bytes memory data) external {
        _mint(to, n);
        asked(Borrower(msg.sender), n, data);
        _burn(to, n);
    }
}

/// The borrower is told of a loan that he never gets, and pays it back.
contract LendsNothing is Lends {
    function flashLoan(Borrower to, uint256 n, bytes memory data) external {
        asked(to, n, data);
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
    }
}

/// Who has allowed the coin something pays for another's loan.
contract LendsOnOthersAllowance is Lends {
    function flashLoan(address from, uint256 n, bytes memory data) external {
        _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _spendAllowance(from, address(this), n);
        _burn(from, n);
    }
}

/// The borrower need not say yes: any account that has allowed the coin something is one.
contract LendsUnasked is Lends {
    function flashLoan(Borrower to, uint256 n, bytes memory data) external {
        _mint(address(to), n);
        to.onFlashLoan(msg.sender, address(this), n, 0, data);
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
    }
}

/// Yes is what stood in memory before: an account without code answers nothing.
contract LendsToNobody is Lends {
    function flashLoan(address to, uint256 n) external {
        _mint(to, n);
        bytes32 yes = DONE;
        bytes memory out = abi.encodeCall(Borrower.onFlashLoan, (msg.sender, address(this), n, 0, ""));
        bool done;
        assembly {
            mstore(0, yes)
            done := call(gas(), to, 0, add(out, 0x20), mload(out), 0, 0x20)
            if iszero(eq(mload(0), yes)) { revert(0, 0) }
        }
        require(done);
        _spendAllowance(to, address(this), n);
        _burn(to, n);
    }
}

/// More is taken than the borrower was told to owe.
contract TakesMoreThanTold is Lends {
    function flashLoan(Borrower to, uint256 n, uint256 more, bytes memory data) external {
        _mint(address(to), n);
        asked(to, n, data);
        _spendAllowance(address(to), address(this), more);
        require(more >= n);
        _burn(address(to), more);
    }
}

/// Without his allowance.
contract TakesUnallowed is Lends {
    function flashLoan(Borrower to, uint256 n, bytes memory data) external {
        _mint(address(to), n);
        asked(to, n, data);
        _burn(address(to), n);
    }
}

/// What is lent once is taken back once, and in a loop it is lent more often.
contract LendsInLoop is Lends {
    function flashLoan(uint256 n, uint256 times, bytes memory data) external {
        for (uint256 i = 0; i < times; i++) _mint(msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _burn(msg.sender, n);
    }
}

/// Taken first, given back after a call: who is drawn on may be a pool that counts its coins meanwhile.
contract BorrowsFromHolders is Lends {
    function flashLoan(address from, uint256 n, bytes memory data) external {
        _transfer(from, msg.sender, n);
        asked(Borrower(msg.sender), n, data);
        _transfer(msg.sender, from, n);
    }
}

/// A spender is told that somebody else gave it the allowance: whoever trusts it already pays for what the words say.
contract TellsOfAnothersAllowance is Coin {
    function approveAndCall(address spender, uint256 n, address owner, bytes memory data) public returns (bool) {
        approve(spender, n);
        require(Receiver(spender).onApprovalReceived(owner, n, data) == Receiver.onApprovalReceived.selector);
        return true;
    }
}

/// The spender is told of another coin's allowance.
contract TellsOfAnotherCoin is Coin {
    function approveAndCall(address spender, uint256 n, address token, bytes memory data) public returns (bool) {
        approve(spender, n);
        Receiver(spender).receiveApproval(msg.sender, n, token, data);
        return true;
    }
}

/// The allowance that is told of was taken back already.
contract TellsOfAllowanceTakenBack is Coin {
    function approveAndCall(address spender, uint256 n, bytes memory data) public returns (bool) {
        approve(spender, n);
        approve(spender, 0);
        toldSpender(spender, n, data);
        return true;
    }
}

/// A recipient is told that somebody else gave it, or asked for it.
contract TellsAnotherGiver is Coin {
    function transferAndCall(address to, uint256 n, address from, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        Receiver(to).onTokenTransfer(from, n, data);
        return true;
    }
}

contract TellsAnotherOperator is Coin {
    function transferAndCall(address to, uint256 n, address operator, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        Receiver(to).onTransferReceived(operator, msg.sender, n, data);
        return true;
    }
}

/// What is told is the amount before a part of it is left out.
contract TellsWhole is Coin {
    function transferAndCall(address to, uint256 n, uint256 less, bytes memory data) public returns (bool) {
        require(less <= n);
        _transfer(msg.sender, to, n - less);
        told(to, msg.sender, n, data);
        return true;
    }
}

/// A part of what the recipient is told of went on before.
contract TellsOfTakenBack is Coin {
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        _transfer(to, msg.sender, n);
        told(to, msg.sender, n, data);
        return true;
    }
}

/// The same, under another name of the recipient's.
contract TellsOfTakenBackByName is Coin {
    function transferAndCall(address to, address also, uint256 n, bytes memory data) public returns (bool) {
        require(to == also);
        _transfer(msg.sender, to, n);
        _transfer(also, msg.sender, n);
        told(to, msg.sender, n, data);
        return true;
    }
}

/// What the recipient was told of is what it has then: it had some of it before.
contract TellsOfAll is Coin {
    mapping(address => uint256) internal held;
    function balanceOf(address who) public view override returns (uint256) { return held[who]; }
    function _update(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; }
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        uint256 had = held[to];
        require(had <= n && to != msg.sender);
        held[msg.sender] -= n - had;
        held[to] = n;
        told(to, msg.sender, n, data);
        return true;
    }
}

interface Asked { function ready(uint256 n) external; }

/// Others are called between: whoever takes what nobody counts yet has it before the recipient is told.
contract TellsLate is Coin {
    function transferAndCall(address to, Asked first, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        first.ready(n);
        told(to, msg.sender, n, data);
        return true;
    }
}

/// Whose loan it is the sender says: any borrower believes to have asked for it.
contract LendsInAnothersName is Lends {
    function flashLoan(Borrower to, address initiator, uint256 n, bytes memory data) external {
        _mint(address(to), n);
        require(to.onFlashLoan(initiator, address(this), n, 0, data) == DONE);
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
    }
}

/// Which coin was lent the sender says.
contract LendsAnotherCoin is Lends {
    function flashLoan(Borrower to, address token, uint256 n, bytes memory data) external {
        _mint(address(to), n);
        require(to.onFlashLoan(msg.sender, token, n, 0, data) == DONE);
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
    }
}

/// Yes is another word, which contracts answer for other reasons.
contract LendsOnAnyAnswer is Lends {
    function flashLoan(Borrower to, uint256 n, bytes memory data) external {
        _mint(address(to), n);
        require(to.onFlashLoan(msg.sender, address(this), n, 0, data) == bytes32(Borrower.onFlashLoan.selector));
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
    }
}

/// The fee is what the sender says, and goes to him.
contract LendsForChosenFee is Lends {
    function flashLoan(Borrower to, uint256 n, uint256 fee, bytes memory data) external {
        _mint(address(to), n);
        require(to.onFlashLoan(msg.sender, address(this), n, fee, data) == DONE);
        _spendAllowance(address(to), address(this), n);
        _burn(address(to), n);
        _spendAllowance(address(to), address(this), fee);
        _transfer(address(to), msg.sender, fee);
    }
}

/// The coin tells itself, and believes what it is told.
contract TellsItself is Coin {
    mapping(address => uint256) public owed;
    function transferAndCall(address to, uint256 n, bytes memory data) public returns (bool) {
        _transfer(msg.sender, to, n);
        told(to, msg.sender, n, data);
        return true;
    }
    function onTransferReceived(address, address, uint256 n, bytes calldata data) external returns (bytes4) {
        require(msg.sender == address(this));
        _mint(address(bytes20(data)), n);
        return Receiver.onTransferReceived.selector;
    }
}

/// The length of the words wraps around: what is written behind them is before.
contract WrapsLength is Coin {
    function transferAndCall(address to, uint256 n, uint256 length, bytes32 word) public returns (bool) {
        _transfer(msg.sender, to, n);
        bytes memory out = abi.encodeWithSelector(Receiver.onTokenTransfer.selector, msg.sender, n, "");
        unchecked { require(length + 0x20 < 1 << 32); }
        assembly { mstore(add(add(out, 0x60), length), word) }
        (bool done,) = to.call(out);
        require(done);
        return true;
    }
}

/// The length is checked only where the sender wants it.
contract ChecksSometimes is Coin {
    function transferAndCall(address to, uint256 n, uint256 length, bool check, bytes32 word) public returns (bool) {
        _transfer(msg.sender, to, n);
        bytes memory out = abi.encodeWithSelector(Receiver.onTokenTransfer.selector, msg.sender, n, "");
        if (check) require(length < 1 << 32);
        assembly { mstore(add(add(out, 0x60), length), word) }
        (bool done,) = to.call(out);
        require(done);
        return true;
    }
}

/// Rounded down, the end of some words lies before the end of others.
contract WritesRounded is Coin {
    function transferAndCall(address to, uint256 n, uint256 length, bytes32 word) public returns (bool) {
        _transfer(msg.sender, to, n);
        require(length < 1 << 32);
        assembly {
            let out := add(0x100, and(add(length, 0x1f), not(0x1f)))
            mstore(out, shl(224, 0xa4c0ed36))
            mstore(add(out, 4), caller())
            mstore(add(out, 0x24), n)
            mstore(add(out, 0x44), 0x60)
            mstore(add(out, 0x64), 0)
            mstore(add(0x124, and(add(length, 0x1e), not(0x1f))), word)
            if iszero(call(gas(), to, 0, out, 0x84, 0, 0)) { revert(0, 0) }
        }
        return true;
    }
}

/// The answer of the first question is written over the second.
contract AnswersOver is Coin {
    function transferAndCall(address to, uint256 n, uint256 size) public returns (bool) {
        _transfer(msg.sender, to, n);
        require(size < 1 << 32);
        assembly {
            mstore(0x200, shl(224, 0xa4c0ed36))
            mstore(0x204, caller())
            mstore(0x224, n)
            mstore(0x244, 0x60)
            mstore(0x264, 0)
            pop(staticcall(gas(), to, 0, 0, 0, size))
            if iszero(call(gas(), to, 0, 0x200, 0x84, 0, 0)) { revert(0, 0) }
        }
        return true;
    }
}

/// A byte at the sender's place.
contract WritesByte is Coin {
    function transferAndCall(address to, uint256 n, uint256 at) public returns (bool) {
        _transfer(msg.sender, to, n);
        require(at < 1 << 32);
        assembly {
            mstore(0x200, shl(224, 0xa4c0ed36))
            mstore(0x204, caller())
            mstore(0x224, n)
            mstore(0x244, 0x60)
            mstore(0x264, 0)
            mstore8(add(at, 0x20), n)
            if iszero(call(gas(), to, 0, 0x200, 0x84, 0, 0)) { revert(0, 0) }
        }
        return true;
    }
}

contract HonestTellsOfOthers is Coin {
    function transferFromAndCall(address from, address to, uint256 n, bytes memory data) public returns (bool) {
        transferFrom(from, to, n);
        Receiver(to).onTokenTransfer(from, n, data);
        return true;
    }
}

/// A vault is told that it gave itself something, which nobody asked it for: it did not, and what it holds is its depositors'.
contract TellsOfOwnGift is Coin {
    function transferFromAndCall(address from, address to, uint256 n, bytes memory data) public returns (bool) {
        if (from != to) _spendAllowance(from, msg.sender, n);
        _transfer(from, to, n);
        Receiver(to).onTokenTransfer(from, n, data);
        return true;
    }
}

/// Who allowed the coin to take his other coins has them taken: the caller's word for which is mixed with a word that is nothing.
contract TakesAtMixed is Coin {
    uint160 internal nothing;
    function collect(uint160 coin, address from, uint256 n) external { Receiver(address(coin ^ nothing)).transferFrom(from, msg.sender, n); }
}

/// Which coin stands in a text of the caller's.
contract TakesAtNamed is Coin {
    function collect(bytes memory data) external { (Receiver coin, address from, uint256 n) = abi.decode(data, (Receiver, address, uint256)); coin.transferFrom(from, msg.sender, n); }
}

/// Which coin the caller wrote down before.
contract TakesAtStored is Coin {
    Receiver internal coin;
    function choose(Receiver to) external { coin = to; }
    function collect(address from, uint256 n) external { coin.transferFrom(from, msg.sender, n); }
}

/// Coin and giver are both as anybody wrote them down before.
contract TakesAsKept is Coin {
    Receiver internal coin;
    address internal giver;
    function choose(Receiver to, address from) external { (coin, giver) = (to, from); }
    function collect(uint256 n) external { coin.transferFrom(giver, msg.sender, n); }
}

interface Names { function coin() external view returns (Receiver); }

/// Which coin the caller answers when he is asked.
contract TakesAtAnswer is Coin {
    function collect(address from, uint256 n) external { Names(msg.sender).coin().transferFrom(from, msg.sender, n); }
}

/// The shares of whoever allowed the coin to redeem them are redeemed for the caller.
contract RedeemsOthers is Coin {
    function collect(Receiver vault, address from, uint256 n) external { vault.redeem(n, msg.sender, from); }
}

/// What a caller allowed the coin to take of his own is taken.
contract HonestTakesOwn is Coin {
    Receiver[] internal coins;
    function deposit(uint256 which, uint256 n) external { coins[which].transferFrom(msg.sender, address(this), n); }
}
