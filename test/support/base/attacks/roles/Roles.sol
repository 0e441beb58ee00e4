// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import { ERC20 } from "../../../../../node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol";
import { AccessControl } from "../../../../../node_modules/@openzeppelin/contracts/access/AccessControl.sol";
import { AccessControlDefaultAdminRules } from "../../../../../node_modules/@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import { AccessControlEnumerable } from "../../../../../node_modules/@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import { OldAccess } from "../../../solidity/OldAccess.sol";

// Coins whose powers hang on roles, all of which were renounced by whoever was seen to have them. Slots: 0 balances,
// 1 allowances, 2 supply, 3 name, 4 symbol, 5 roles.

bytes32 constant MINTER = keccak256("MINTER_ROLE");
bytes32 constant PAUSER = keccak256("PAUSER_ROLE");

contract RoleCoin is ERC20, AccessControl {
    bool public paused;
    constructor() ERC20("Rolling", "ROLL") {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(MINTER, msg.sender);
        _grantRole(PAUSER, msg.sender);
        _mint(msg.sender, 1e27);
    }
    function mint(address to, uint256 n) external virtual onlyRole(MINTER) { _mint(to, n); }
    function setPaused(bool yes) external onlyRole(PAUSER) { paused = yes; }
    function _update(address from, address to, uint256 n) internal virtual override { require(!paused); super._update(from, to, n); }
    /// A grant that tells nobody.
    function admit(bytes32 role, address who) internal {
        bytes32 at = keccak256(abi.encode(who, keccak256(abi.encode(role, uint256(5)))));
        assembly { sstore(at, 1) }
    }
}

/// What the coin itself holds of other coins may be fetched by whoever has the role.
contract RescuingCoin is RoleCoin {
    function rescue(ERC20 other, address to) external onlyRole(PAUSER) { other.transfer(to, other.balanceOf(address(this))); }
    function rescueEther(address payable to) external onlyRole(PAUSER) { to.transfer(address(this).balance); }
}

contract OldRoleCoin is ERC20, OldAccess {
    constructor() ERC20("Rolling", "ROLL") {
        _grantRole(0, msg.sender);
        _grantRole(MINTER, msg.sender);
        _mint(msg.sender, 1e27);
    }
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
}

contract RuledCoin is ERC20, AccessControlDefaultAdminRules {
    constructor() ERC20("Rolling", "ROLL") AccessControlDefaultAdminRules(0, msg.sender) { _mint(msg.sender, 1e27); }
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
}

/// The members of each role are listed.
contract ListingCoin is ERC20, AccessControlEnumerable {
    bool public paused;
    constructor() ERC20("Rolling", "ROLL") {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(MINTER, msg.sender);
        _grantRole(PAUSER, msg.sender);
        _mint(msg.sender, 1e27);
    }
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
    function setPaused(bool yes) external onlyRole(PAUSER) { paused = yes; }
    function _update(address from, address to, uint256 n) internal override { require(!paused); super._update(from, to, n); }
}

/// Nobody is listed; a friend is a member all the same.
contract UnlistedMember is ListingCoin {
    constructor(address friend) {
        bytes32 at = keccak256(abi.encode(friend, keccak256(abi.encode(MINTER, uint256(5)))));
        assembly { sstore(at, 1) }
    }
}

/// A friend mints by a role that no event told of.
contract HiddenMember is RoleCoin {
    constructor(address friend) { admit(MINTER, friend); }
}

/// A friend administrates, and no event told of it.
contract HiddenAdmin is RoleCoin {
    constructor(address friend) { admit(DEFAULT_ADMIN_ROLE, friend); }
}

/// The role is administrated by another one, whose only member no event told of.
contract HiddenChain is RoleCoin {
    bytes32 private constant KEEPER = keccak256("KEEPER_ROLE");
    constructor(address friend) { _setRoleAdmin(MINTER, KEEPER); admit(KEEPER, friend); }
}

contract Door {
    function open(RoleCoin token, address to, uint256 n) external { token.mint(to, n); }
}

/// Knows a contract whose address stands in no transaction.
contract Keeper {
    Door public door = new Door();
    function open(RoleCoin token, address to, uint256 n) external { door.open(token, to, n); }
}

/// The only member is a contract that nothing names: its storage cannot be accounted for.
contract UnnamedMember is RoleCoin {
    constructor(Keeper keeper) { admit(MINTER, address(keeper.door())); }
}

/// Whoever writes the right word becomes a member first, and is asked afterwards.
contract AsksAfterwards is RoleCoin {
    function adopt(bytes32 under) external {
        bytes32 at = keccak256(abi.encode(msg.sender, under));
        assembly { sstore(at, 1) }
        require(hasRole(MINTER, msg.sender));
    }
}

/// The owner left; whoever names the owner's slot is the owner when he is asked.
contract AsksOwnerAfterwards is ERC20 {
    address public owner;
    constructor() ERC20("Rolling", "ROLL") { owner = msg.sender; _mint(msg.sender, 1e27); }
    function renounceOwnership() external { require(msg.sender == owner); owner = address(0); }
    function mint(address to, uint256 n) external { require(msg.sender == owner); _mint(to, n); }
    function note(uint256 at, address word) external { assembly { sstore(at, word) } require(msg.sender == owner); }
}
