// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// As OpenZeppelin wrote it before version 5: refusals told in words.
abstract contract OldAccess {
    struct RoleData { mapping(address => bool) members; bytes32 adminRole; }
    mapping(bytes32 => RoleData) private _roles;
    bytes16 private constant DIGITS = "0123456789abcdef";
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);
    modifier onlyRole(bytes32 role) { _checkRole(role, msg.sender); _; }
    function hasRole(bytes32 role, address account) public view virtual returns (bool) { return _roles[role].members[account]; }
    function getRoleAdmin(bytes32 role) public view returns (bytes32) { return _roles[role].adminRole; }
    function grantRole(bytes32 role, address account) public onlyRole(getRoleAdmin(role)) { _grantRole(role, account); }
    function revokeRole(bytes32 role, address account) public onlyRole(getRoleAdmin(role)) { _revokeRole(role, account); }
    function renounceRole(bytes32 role, address account) public { require(account == msg.sender, "AccessControl: can only renounce roles for self"); _revokeRole(role, account); }
    function _setRoleAdmin(bytes32 role, bytes32 adminRole) internal { _roles[role].adminRole = adminRole; }
    function _grantRole(bytes32 role, address account) internal { if (!hasRole(role, account)) { _roles[role].members[account] = true; emit RoleGranted(role, account, msg.sender); } }
    function _revokeRole(bytes32 role, address account) internal { if (hasRole(role, account)) { _roles[role].members[account] = false; emit RoleRevoked(role, account, msg.sender); } }
    function _checkRole(bytes32 role, address account) internal view {
        if (!hasRole(role, account)) revert(string(abi.encodePacked("AccessControl: account ", inHex(uint256(uint160(account)), 20), " is missing role ", inHex(uint256(role), 32))));
    }
    function inHex(uint256 value, uint256 length) private pure returns (string memory) {
        bytes memory buffer = new bytes(2 * length + 2);
        buffer[0] = "0";
        buffer[1] = "x";
        for (uint256 i = 2 * length + 1; i > 1; --i) { buffer[i] = DIGITS[value & 0xf]; value >>= 4; }
        require(value == 0, "Strings: hex length insufficient");
        return string(buffer);
    }
}
