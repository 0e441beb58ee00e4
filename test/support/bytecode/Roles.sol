// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { AccessControl } from "../../../node_modules/@openzeppelin/contracts/access/AccessControl.sol";
import { AccessControlEnumerable } from "../../../node_modules/@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import { AccessControlDefaultAdminRules } from "../../../node_modules/@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import { OldAccess } from "../solidity/OldAccess.sol";
import { EnumerableSet } from "../../../node_modules/@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

// Coins whose powers hang on tables: of roles, of members. Each is honest while those tables are empty and nobody can write
// into them, and a trap where there is another way in.

bytes32 constant MINTER = keccak256("MINTER_ROLE");
bytes32 constant PAUSER = keccak256("PAUSER_ROLE");
address constant FRIEND = 0x52908400098527886E0F7030069857D2E4169EE7;

abstract contract RoleCoin is ERC20, AccessControl {
    bool public paused;
    constructor() ERC20("Coin", "COIN") { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
    function mint(address to, uint256 n) external virtual onlyRole(MINTER) { _mint(to, n); }
    function setPaused(bool yes) external onlyRole(PAUSER) { paused = yes; }
    function _update(address from, address to, uint256 n) internal virtual override { require(!paused); super._update(from, to, n); }
}

contract HonestRoles is RoleCoin {}

contract HonestEnumerable is ERC20, AccessControlEnumerable {
    constructor() ERC20("Coin", "COIN") { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
}

contract HonestAdminRules is ERC20, AccessControlDefaultAdminRules {
    constructor() ERC20("Coin", "COIN") AccessControlDefaultAdminRules(1 days, msg.sender) {}
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
}

abstract contract OldCoin is ERC20, OldAccess {
    constructor() ERC20("Coin", "COIN") { _grantRole(0, msg.sender); }
    function mint(address to, uint256 n) external virtual onlyRole(MINTER) { _mint(to, n); }
}

contract HonestOldRoles is OldCoin {}

/// As launchers of bridged coins do: an owner admits minters into a set that counts them.
contract HonestMinters is ERC20 {
    using EnumerableSet for EnumerableSet.AddressSet;
    EnumerableSet.AddressSet private minters;
    address public owner;
    constructor() ERC20("Coin", "COIN") { owner = msg.sender; }
    function admit(address who) external { require(msg.sender == owner); minters.add(who); }
    function dismiss(address who) external { require(msg.sender == owner); minters.remove(who); }
    function giveUp() external { require(msg.sender == owner); owner = address(0); }
    function mint(address to, uint256 n) external { require(minters.contains(msg.sender)); _mint(to, n); }
}

/// A list of the shut out, empty when its owner left.
contract HonestBlocklist is ERC20 {
    mapping(address => bool) public blocked;
    address public owner;
    constructor() ERC20("Coin", "COIN") { owner = msg.sender; }
    function setBlocked(address who, bool yes) external { require(msg.sender == owner); blocked[who] = yes; }
    function giveUp() external { require(msg.sender == owner); owner = address(0); }
    function _update(address from, address to, uint256 n) internal override { require(!blocked[from]); super._update(from, to, n); }
}

/// An open function writes one word, which is the friend's entry under the role.
contract WritesEntry is RoleCoin {
    function prepare() external { assembly { sstore(0x3507e92396de546da24c36deddaf2ff08a7315c8e552b929cf0fb5946710dd3b, 1) } }
}

/// The place is worked out while the code runs.
contract WritesWorkedOut is RoleCoin {
    function prepare(bytes32 under, address who) external {
        bytes32 at = keccak256(abi.encode(who, under));
        assembly { sstore(at, 1) }
    }
}

/// A list of everybody's, as long as its author wished when it was born.
contract WritesBehindList is RoleCoin {
    uint256[] internal list;
    constructor() { assembly { sstore(list.slot, 0x8e9b1ffae0f09c42a88eed4cb45b1a95d2c281a25094145b8aa997f9dfda16b3) } }
    function note(uint256 word) external { assembly { let n := sload(list.slot) mstore(0, list.slot) sstore(add(keccak256(0, 32), n), word) sstore(list.slot, add(n, 1)) } }
}

/// The friend needs no role to be given one.
contract FriendGrants is RoleCoin {
    function adopt() external { require(msg.sender == FRIEND); _grantRole(MINTER, msg.sender); }
}

/// One role is still held, and does no harm.
contract HonestBurner is RoleCoin {
    bytes32 private constant BURNER = keccak256("BURNER_ROLE");
    function burn(uint256 n) external onlyRole(BURNER) { _burn(msg.sender, n); }
}

/// One role is still held, and may choose who administrates the other.
contract ChoosesAdmin is RoleCoin {
    bytes32 private constant BURNER = keccak256("BURNER_ROLE");
    function setAdmin(bytes32 role) external onlyRole(BURNER) { _setRoleAdmin(MINTER, role); }
}

/// Another table beside the roles.
contract OtherTable is RoleCoin {
    mapping(address => uint256) private passes;
    function pass(address who) external { require(msg.sender == FRIEND); passes[who] = 1; }
    function mint(address to, uint256 n) external override { require(hasRole(MINTER, msg.sender) || passes[msg.sender] == 1); _mint(to, n); }
}

/// Who has no role may.
contract Inverted is RoleCoin {
    function mint(address to, uint256 n) external override { require(!hasRole(MINTER, msg.sender)); require(tx.origin == FRIEND); _mint(to, n); }
}

/// Roles are looked up where the caller says.
contract LooksAnywhere is RoleCoin {
    function mintBy(bytes32 at, address to, uint256 n) external {
        uint256 member;
        assembly { member := sload(at) }
        require(member == 1 && msg.sender == FRIEND);
        _mint(to, n);
    }
}

/// The friend's own functions are elsewhere.
contract RunsElsewhere is RoleCoin {
    function run(address code, bytes calldata input) external { require(msg.sender == FRIEND); (bool done,) = code.delegatecall(input); require(done); }
}

/// A balance and a membership may be one word: the gate's table begins where the friend's allowances do.
contract SharesWithAllowances is ERC20 {
    constructor() ERC20("Coin", "COIN") {}
    function mint(address to, uint256 n) external {
        uint256 member;
        assembly {
            mstore(0, caller())
            mstore(32, 0x31db6240c7065cbdf770e9e02852c5995a5b5ecbd182ffc6062cec778676aad3)
            member := sload(keccak256(0, 64))
        }
        require(member != 0);
        _mint(to, n);
    }
}

/// Writes first and asks afterwards, when what was written answers.
contract AsksAfterwards is RoleCoin {
    function adopt(bytes32 under, address who) external {
        bytes32 at = keccak256(abi.encode(who, under));
        assembly { sstore(at, 1) }
        require(hasRole(MINTER, msg.sender));
    }
}

/// The same of a plain slot: who names the owner's slot becomes the owner, and passes.
contract AsksOwnerAfterwards is ERC20 {
    address public owner;
    constructor() ERC20("Coin", "COIN") { owner = msg.sender; }
    function giveUp() external { require(msg.sender == owner); owner = address(0); }
    function note(uint256 at, uint256 word) external { assembly { sstore(at, word) } require(msg.sender == owner); }
}

/// The same over a call: the answer is asked for while a stranger is called in between.
contract AsksOverCall is ERC20 {
    address public owner;
    constructor() ERC20("Coin", "COIN") { owner = msg.sender; }
    function giveUp() external { require(msg.sender == owner); owner = address(0); }
    function mint(address to, uint256 n) external { require(msg.sender == owner); _mint(to, n); }
    function note(uint256 at, uint256 word) external { assembly { sstore(at, word) } AsksOverCall(msg.sender).giveUp(); require(msg.sender == owner); }
}

/// A shift of one: the field behind the members is written, and read as a member.
contract NextField is OldCoin {
    mapping(bytes32 => uint256[2]) private pairs;
    function set(bytes32 key, uint256 word) external { pairs[key][1] = word; }
    function mintPaired(bytes32 key, address to, uint256 n) external { require(pairs[key][1] != 0); _mint(to, n); }
}

/// Everybody may become a member of one role, and that role administrates another.
contract OpenRole is OldCoin {
    bytes32 private constant OPEN = keccak256("OPEN_ROLE");
    constructor() { _setRoleAdmin(MINTER, OPEN); }
    function join() external { _grantRole(OPEN, msg.sender); }
}
