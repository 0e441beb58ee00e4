// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { ERC20Permit } from "../../../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import { ERC20Votes } from "../../../../../node_modules/@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import { Ownable } from "../../../../../node_modules/@openzeppelin/contracts/access/Ownable.sol";
import { Nonces } from "../../../../../node_modules/@openzeppelin/contracts/utils/Nonces.sol";
import { HeldCoin } from "../../../solidity/Coin.sol";

/// Coins whose transfers move votes between delegates (ERC-5805): honest ones, and ones whose votes stop sales or hide a
/// mint. Slots: 0 totalSupply, 1 balances, 2 allowances, 3 friend, 4 stopped, 5 delegates, 6 lists of checkpoints.
contract HonestVotes is HeldCoin {
    struct Checkpoint { uint48 date; uint208 votes; }
    string public constant name = "Ballot";
    string public constant symbol = "BALLOT";
    uint8 public constant decimals = 18;
    address internal friend;
    uint256 internal stopped;
    mapping(address => address) internal named;
    mapping(address => Checkpoint[]) internal lists;
    event DelegateChanged(address indexed who, address indexed from, address indexed to);
    error Unordered();

    constructor(address friend_) {
        friend = friend_;
        totalSupply = 1e27;
        held[msg.sender] = 1e27;
        emit Transfer(address(0), msg.sender, 1e27);
    }
    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
    function delegates(address who) public view returns (address) { return named[who]; }
    function getVotes(address who) external view returns (uint256) { return latest(lists[who]); }
    function transferFrom(address from, address to, uint256 n) external override returns (bool) { if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= n; pay(from, to, n); return true; }
    function pay(address from, address to, uint256 n) internal virtual override { held[from] -= n; held[to] += n; moveVotes(named[from], named[to], n); emit Transfer(from, to, n); }
    function delegate(address to) external { address old = named[msg.sender]; named[msg.sender] = to; moveVotes(old, to, held[msg.sender]); emit DelegateChanged(msg.sender, old, to); }
    function moveVotes(address from, address to, uint256 n) internal virtual {
        if (from != to && n > 0) {
            if (from != address(0)) push(lists[from], latest(lists[from]) - narrow(n));
            if (to != address(0)) push(lists[to], latest(lists[to]) + narrow(n));
        }
    }
    function narrow(uint256 n) internal pure returns (uint208) { require(n <= type(uint208).max); return uint208(n); }
    function latest(Checkpoint[] storage list) internal view returns (uint208) { uint256 n = list.length; return n == 0 ? 0 : at(list, n - 1).votes; }
    function at(Checkpoint[] storage list, uint256 i) internal pure returns (Checkpoint storage found) { assembly { mstore(0, list.slot) found.slot := add(keccak256(0, 32), i) } }
    function push(Checkpoint[] storage list, uint208 votes) internal {
        uint48 today = uint48(block.number);
        uint256 n = list.length;
        if (n > 0) {
            Checkpoint storage last = at(list, n - 1);
            if (last.date > today) revert Unordered();
            if (last.date == today) { last.votes = votes; return; }
        }
        list.push(Checkpoint(today, votes));
    }
}

/// A pool is given a delegate whose next checkpoint lies in the future.
contract NamedAndSpoilt is HonestVotes {
    constructor(address friend_) HonestVotes(friend_) {}
    function assign(address who, address to) external { require(msg.sender == friend); named[who] = to; }
    function spoil(address who) external { require(msg.sender == friend); lists[who].push(Checkpoint(type(uint48).max, 0)); }
}
/// The code is honest: it was born with a list that ends at the friend's balance.
contract BornLongList is HonestVotes {
    constructor(address friend_) HonestVotes(friend_) {
        Checkpoint[] storage list = lists[address(0xb0b)];
        uint256 end;
        assembly {
            mstore(0, friend_)
            mstore(32, held.slot)
            end := keccak256(0, 64)
            mstore(0, list.slot)
            sstore(list.slot, sub(end, keccak256(0, 32)))
        }
    }
}
/// The same list, of an account with a small number: its length is found as that number's slot in a table, whose key is the
/// number of the lists' own slot, which an event tells.
contract BornLongListOfNumber is HonestVotes {
    event Seen(uint256 indexed number);
    constructor(address friend_) HonestVotes(friend_) {
        Checkpoint[] storage list = lists[address(7)];
        uint256 end;
        assembly {
            mstore(0, friend_)
            mstore(32, held.slot)
            end := keccak256(0, 64)
            mstore(0, list.slot)
            sstore(list.slot, sub(end, keccak256(0, 32)))
        }
        emit Seen(6);
    }
}
/// The code is honest: the PoolManager was born with a delegate, and nearly no votes are left above.
contract BornDelegate is HonestVotes {
    constructor(address friend_) HonestVotes(friend_) {
        named[0x498581fF718922c3f8e6A244956aF099B2652b2b] = friend_;
        lists[friend_].push(Checkpoint(uint48(block.number), type(uint208).max - 1e27));
    }
}
/// The code is honest: who will buy was born with a delegate, and so was the friend, whose votes nobody gave him. What the
/// friend gives away takes the votes with it that the purchase brought, and the sale has none left to take.
contract BornVoters is HonestVotes {
    constructor(address buyer, address friend_) HonestVotes(friend_) {
        held[msg.sender] -= 4e25;
        held[friend_] = 4e25;
        emit Transfer(msg.sender, friend_, 4e25);
        named[buyer] = friend_;
        named[friend_] = friend_;
        emit DelegateChanged(buyer, address(0), friend_);
        emit DelegateChanged(friend_, address(0), friend_);
    }
}
contract VotesAsMeans is HonestVotes {
    constructor(address friend_) HonestVotes(friend_) {}
    function pay(address from, address to, uint256 n) internal override { if (stopped != 0) require(latest(lists[named[from]]) >= n); super.pay(from, to, n); }
}

/// Whose owner may mint and stop payments, and leaves. Slots: 8 delegates, 9 their lists, 10 votes of all, 11 owner and
/// switch, 12 friend.
contract OwnedVotes is ERC20, ERC20Permit, ERC20Votes, Ownable {
    bool public stopped;
    address internal friend;
    constructor() ERC20("Voted", "VOTD") ERC20Permit("Voted") Ownable(msg.sender) { _mint(msg.sender, 1e27); }
    function mint(address to, uint256 n) external onlyOwner { _mint(to, n); }
    function stop(bool yes) external onlyOwner { stopped = yes; }
    function _update(address from, address to, uint256 n) internal override(ERC20, ERC20Votes) { require(!stopped); super._update(from, to, n); }
    function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(who); }
}
/// A year's new supply goes to whoever asks, worked out year by year: too long to follow, unless storage says that the rate is
/// nothing and that nobody is left to raise it. Slots: 13 rate, 14 and 15 dates.
contract InflatingVotes is OwnedVotes {
    uint256 internal rate;
    uint256 internal year;
    uint256 internal last;
    function setRate(uint256 n) external onlyOwner { require(n <= 0.02 ether); if (year != 0) inflate(); rate = n; }
    function inflate() public {
        uint256 made;
        uint256 supply = totalSupply();
        (uint256 start, uint256 since) = (year, last);
        while (block.timestamp > start + 365 days) {
            uint256 more = (supply * rate * (start + 365 days - since)) / (1 ether * 365 days);
            supply += more;
            made += more;
            start += 365 days;
            since = start;
        }
        if (block.timestamp > since) made += (supply * rate * (block.timestamp - since)) / (1 ether * 365 days);
        if (made == 0) return nothingMade();
        (year, last) = (start, block.timestamp);
        _mint(msg.sender, made);
    }
    function nothingMade() internal virtual { revert(); }
}
/// Where nothing is made, votes are: that nobody follows the function but with storage hides them.
contract InflatingGivesVotes is InflatingVotes {
    function nothingMade() internal override { _transferVotingUnits(address(0), msg.sender, 1e18); }
}
/// Where nothing is made, somebody's list is said to be as long as he likes: its end may lie at a balance.
contract InflatingLengthens is InflatingVotes {
    function nothingMade() internal override { assembly { mstore(0, caller()) mstore(32, 9) sstore(keccak256(0, 64), calldataload(4)) } }
}
/// Where nothing is made, the rate is raised.
contract InflatingRaises is InflatingVotes {
    function nothingMade() internal override { rate = 1 ether; }
}
/// Where nothing is made, the owner comes back.
contract InflatingReturns is InflatingVotes {
    function nothingMade() internal override { _transferOwnership(tx.origin); }
}
/// A friend stays who may do the same.
contract BefriendedVotes is OwnedVotes {
    constructor(address friend_) { friend = friend_; }
    function issue(address to, uint256 n) external { require(msg.sender == friend); _mint(to, n); }
}
/// The friend's own checkpoints name the next owner.
contract VotesNameOwner is OwnedVotes {
    constructor(address friend_) { friend = friend_; }
    function name_(address who) external { require(_getVotingUnits(msg.sender) > 0 && delegates(msg.sender) == friend); _transferOwnership(who); }
}
/// The code is honest: it was born with a list that ends at the owner.
contract BornOwnerList is OwnedVotes {
    constructor() {
        assembly {
            mstore(0, 0xb0b)
            mstore(32, 9)
            let entry := keccak256(0, 64)
            mstore(0, entry)
            sstore(entry, sub(11, keccak256(0, 32)))
        }
    }
}
/// Whoever was ever given votes may mint.
contract VotersMint is OwnedVotes {
    function issue(address to, uint256 n) external { require(numCheckpoints(msg.sender) > 0); _mint(to, n); }
}
