// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { SilentCoin } from "../solidity/Coin.sol";

/// Coins whose transfers move votes between delegates (ERC-5805), each with a list of checkpoints. Slots: 0 totalSupply,
/// 1 balances, 2 allowances, 3 friend, 4 stopped, 5 nonces, 6 delegates, 7 lists, 8 votes of the whole supply.
abstract contract Voting is SilentCoin(1e27) {
    struct Checkpoint { uint48 date; uint208 votes; }
    address internal friend = msg.sender;
    uint256 internal stopped;
    mapping(address => uint256) public nonces;
    mapping(address => address) internal named;
    mapping(address => Checkpoint[]) internal lists;
    Checkpoint[] internal totals;
    bytes32 internal constant DELEGATION = keccak256("Delegation(address delegatee,uint256 nonce,uint256 expiry)");
    error Unordered();
    error Underfunded();

    function stop(uint256 word) external { require(msg.sender == friend); stopped = word; }
    function delegates(address who) public view virtual returns (address) { return named[who]; }
    function getVotes(address who) external view returns (uint256) { Checkpoint[] storage list = lists[who]; return list.length == 0 ? 0 : list[list.length - 1].votes; }
    function getPastVotes(address who, uint256 date) external view returns (uint256) { Checkpoint[] storage list = lists[who]; uint256 low; uint256 high = list.length; while (low < high) { uint256 mid = (low + high) / 2; if (list[mid].date > date) high = mid; else low = mid + 1; } return high == 0 ? 0 : list[high - 1].votes; }
    function pay(address from, address to, uint256 n) internal virtual override {
        if (held[from] < n) revert Underfunded();
        unchecked { held[from] -= n; held[to] += n; }
        moveVotes(delegates(from), delegates(to), n);
    }
    function delegate(address to) external virtual { choose(msg.sender, to); }
    function choose(address who, address to) internal virtual { address old = named[who]; named[who] = to; moveVotes(old, to, held[who]); }
    function moveVotes(address from, address to, uint256 n) internal virtual {
        if (from != to && n > 0) {
            if (from != address(0)) push(lists[from], latest(lists[from]) - narrow(n));
            if (to != address(0)) push(lists[to], latest(lists[to]) + narrow(n));
        }
    }
    function narrow(uint256 n) internal pure returns (uint208) { require(n <= type(uint208).max); return uint208(n); }
    function clock() public view virtual returns (uint48) { require(block.number <= type(uint48).max); return uint48(block.number); }
    function latest(Checkpoint[] storage list) internal view returns (uint208) { uint256 n = list.length; return n == 0 ? 0 : at(list, n - 1).votes; }
    function at(Checkpoint[] storage list, uint256 i) internal pure returns (Checkpoint storage found) { assembly { mstore(0, list.slot) found.slot := add(keccak256(0, 32), i) } }
    function push(Checkpoint[] storage list, uint208 votes) internal virtual {
        uint48 now_ = clock();
        uint256 n = list.length;
        if (n > 0) {
            Checkpoint storage last = at(list, n - 1);
            if (last.date > now_) revert Unordered();
            if (last.date == now_) { last.votes = votes; return; }
        }
        list.push(Checkpoint(now_, votes));
    }
    function signer(bytes32 fields, uint8 v, bytes32 r, bytes32 s) internal view returns (address) { return ecrecover(keccak256(abi.encodePacked("\x19\x01", keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))), fields)), v, r, s); }
}
abstract contract Signing is Voting {
    function delegateBySig(address to, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external virtual { require(block.timestamp <= expiry); address who = signer(keccak256(abi.encode(DELEGATION, to, nonce, expiry)), v, r, s); require(who != address(0) && nonce == nonces[who]++); choose(who, to); }
}

/// Holders also sign permits (ERC-2612), which use the same numbers.
abstract contract Permitting is Signing {
    bytes32 internal constant PERMIT = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    function numberOf(address who) internal virtual returns (uint256) { return nonces[who]++; }
    function permit(address who, address spender, uint256 n, uint256 date, uint8 v, bytes32 r, bytes32 s) external { require(block.timestamp <= date); require(signer(keccak256(abi.encode(PERMIT, who, spender, n, numberOf(who), date)), v, r, s) == who && who != address(0)); allowance[who][spender] = n; }
}

contract HonestPermittedVotes is Permitting {}
contract HonestVotes is Signing {}
contract HonestTimedVotes is Signing { function clock() public view override returns (uint48) { return uint48(block.timestamp); } }
contract HonestBurntVotes is Signing { function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; moveVotes(named[msg.sender], address(0), n); push(totals, latest(totals) - narrow(n)); } }
/// Compilers hash beforehand where the delegate of account zero stands.
contract HonestNobodysVotes is Permitting { string internal picture; function show(string memory text) external { require(msg.sender == friend); picture = text; } function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; moveVotes(delegates(msg.sender), delegates(address(0)), n); push(totals, latest(totals) - narrow(n)); } }
contract HonestOwnedVotes is Voting { uint256 public theme; function setTheme(uint256 n) external { require(msg.sender == friend); theme = n; } }

/// Whom others name.
contract NamedByFriend is Voting { function assign(address who, address to) external { require(msg.sender == friend); choose(who, to); } }
contract NamedByAnybody is Voting { function assign(address who, address to) external { choose(who, to); } }
contract NamedByGift is Voting { function pay(address from, address to, uint256 n) internal override { super.pay(from, to, n); if (named[to] == address(0)) choose(to, friend); } }
contract NamedBySpender is Voting { function adopt(address who) external { require(allowance[who][msg.sender] > 0); choose(who, msg.sender); } }
contract NamedByHook is Voting { function uniswapV3SwapCallback(int256, int256, bytes calldata) external { choose(msg.sender, friend); } }
contract NamedByOther is Voting { function delegateBySig(address to, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external { require(block.timestamp <= expiry); address who = signer(keccak256(abi.encode(DELEGATION, friend, nonce, expiry)), v, r, s); require(who != address(0)); choose(who, to); } }
contract NamedByNobody is Voting { function delegateBySig(address to, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external { address who = signer(keccak256(abi.encode(DELEGATION, to, nonce, expiry)), v, r, s); choose(who, to); } }
contract NamedElse is Voting { function delegate(address) external override { choose(msg.sender, friend); } }
contract NamedForNobody is Voting { function adopt(address to) external { require(msg.sender == friend); named[address(0)] = to; } function burn(uint256 n) external { held[msg.sender] -= n; totalSupply -= n; moveVotes(delegates(msg.sender), delegates(address(0)), n); } }
/// Votes that somebody can spoil.
contract SpoiltByFriend is Voting { function spoil(address who, uint208 n) external { require(msg.sender == friend); push(lists[who], n); } }
contract SpoiltByTransfer is Voting { function spoil(address who, uint256 n) external { held[msg.sender] -= n; held[friend] += n; push(lists[who], latest(lists[who]) - narrow(n)); } }
contract RaisedByAnybody is Voting { function bless(address who, uint208 n) external { push(lists[who], latest(lists[who]) + n); } }
contract CutList is Voting { function prune(address who) external { require(msg.sender == friend); lists[who].pop(); } }
contract LongList is Voting { function prune(address who, uint256 n) external { require(msg.sender == friend); Checkpoint[] storage list = lists[who]; assembly { sstore(list.slot, n) } } }
contract EmptyPush is Voting { function pad(address who) external { Checkpoint[] storage list = lists[who]; assembly { sstore(list.slot, add(sload(list.slot), 1)) } } }
contract RawCheckpoint is Voting { function fix(address who, uint256 i, uint256 word) external { require(msg.sender == friend); Checkpoint storage one = at(lists[who], i); assembly { sstore(one.slot, word) } } }
contract ForgotGain is Voting { function transferQuietly(address to, uint256 n) external { held[msg.sender] -= n; held[to] += n; address d = named[msg.sender]; if (d != address(0) && n > 0) push(lists[d], latest(lists[d]) - narrow(n)); } }
contract ForgotChoice is Voting { function choose(address who, address to) internal override { named[who] = to; } }
contract HalfChoice is Voting { function choose(address who, address to) internal override { address old = named[who]; named[who] = to; moveVotes(old, to, held[who] / 2); } }
contract TwiceTaken is Voting { function moveVotes(address from, address to, uint256 n) internal override { if (from != to && n > 0) { if (from != address(0)) push(lists[from], latest(lists[from]) - narrow(2 * n)); if (to != address(0)) push(lists[to], latest(lists[to]) + narrow(n)); } } }
contract OthersVotes is Voting { function moveVotes(address from, address to, uint256 n) internal override { if (from != to && n > 0) { if (from != address(0)) push(lists[friend], latest(lists[friend]) - narrow(n)); if (to != address(0)) push(lists[to], latest(lists[to]) + narrow(n)); } } }
/// Dates that somebody can set.
contract TwoClocks is Voting { function choose(address who, address to) internal override { address old = named[who]; named[who] = to; uint256 n = held[who]; if (old != to && n > 0) { if (old != address(0)) lists[old].push(Checkpoint(uint48(block.timestamp), latest(lists[old]) - narrow(n))); if (to != address(0)) lists[to].push(Checkpoint(uint48(block.timestamp), latest(lists[to]) + narrow(n))); } } }
contract FutureDate is Voting { function clock() public view override returns (uint48) { return uint48(block.number + stopped); } }
contract ShortDate is Voting { function clock() public view override returns (uint48) { require(block.number < 50_000_000); return uint48(block.number); } }
/// Delegates and votes as gates.
contract BannedDelegate is Voting { mapping(address => bool) banned; function ban(address who) external { require(msg.sender == friend); banned[who] = true; } function moveVotes(address from, address to, uint256 n) internal override { require(!banned[from]); super.moveVotes(from, to, n); } }
contract ChosenReverts is Voting { function moveVotes(address from, address to, uint256 n) internal override { require(from == address(0) || uint160(from) != stopped); super.moveVotes(from, to, n); } }
contract FullDelegate is Voting { function push(Checkpoint[] storage list, uint208 votes) internal override { require(votes < stopped); super.push(list, votes); } }
contract FixedFull is Voting { function push(Checkpoint[] storage list, uint208 votes) internal override { require(votes < 1e24); super.push(list, votes); } }
contract VotesAsMeans is Voting { function pay(address from, address to, uint256 n) internal override { require(latest(lists[from]) >= n); super.pay(from, to, n); } }
contract NeedsDelegate is Voting { function pay(address from, address to, uint256 n) internal override { require(named[from] != address(0)); super.pay(from, to, n); } }
contract LongListStops is Voting { function moveVotes(address from, address to, uint256 n) internal override { require(lists[to].length < 3); super.moveVotes(from, to, n); } }
contract ManyVotesNeeded is Voting { function moveVotes(address from, address to, uint256 n) internal override { if (from != address(0)) require(latest(lists[from]) >= 2 * n); super.moveVotes(from, to, n); } }
contract VotesNeededAgain is Voting { function moveVotes(address from, address to, uint256 n) internal override { super.moveVotes(from, to, n); if (from != to && n > 0 && from != address(0) && to != address(0)) require(latest(lists[from]) >= n); } }
/// What pools and buyers cannot be asked about: the answer is another than what transfers look at.
contract TellsNobody is Voting { function delegates(address) public pure override returns (address) { return address(0); } function pay(address from, address to, uint256 n) internal override { held[from] -= n; held[to] += n; moveVotes(named[from], named[to], n); } }
/// Permits whose numbers come round again: a list is written over them.
contract PermitByDate is Permitting { function numberOf(address who) internal view override returns (uint256) { return lists[who].length; } }
contract PermitByCheckpoint is Permitting { function numberOf(address who) internal override returns (uint256 n) { assembly { mstore(0, who) mstore(32, lists.slot) mstore(0, keccak256(0, 64)) let key := keccak256(0, 32) n := sload(key) sstore(key, add(n, 1)) } } }
contract PermitByLength is Permitting { function numberOf(address who) internal override returns (uint256 n) { assembly { mstore(0, who) mstore(32, lists.slot) let key := keccak256(0, 64) n := sload(key) sstore(key, add(n, 1)) } } }
contract PermitByCutList is Permitting { uint256[] internal notes; function cut(uint256 n) external { require(msg.sender == friend); assembly { sstore(notes.slot, n) } } function note(uint256 n) external { notes.push(n); } }
contract PermitByTally is Permitting { mapping(address => uint256[]) internal tallies; function tally(uint256 i, uint256 n) external { uint256[] storage list = tallies[msg.sender]; assembly { mstore(0, list.slot) sstore(add(keccak256(0, 32), i), n) } } }
/// The length of a list of its own is one of the first slots, and of these anybody chooses one.
contract NotesAnywhere is HonestBurntVotes { uint256[] internal notes; uint256[8] internal pad; function note(uint256 word) external { notes.push(word); } function set(uint256 i, uint256 n) external { assembly { sstore(add(notes.slot, and(i, 7)), n) } } }
