// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import { OpenCoin } from "../../../solidity/Coin.sol";

// Doubles of Base's native tokens, written from the published interfaces; no local chain runs the real ones.

interface IPolicies {
  function isAuthorized(uint64 policy, address account) external view returns (bool);
}

contract B20Factory {
  mapping(address => bool) public isB20Initialized;

  event B20Created(address indexed token, uint8 variant, string name, string symbol, uint8 decimals, bytes data);

  function register(address token) external {
    isB20Initialized[token] = true;
    emit B20Created(token, 0, "Native", "NTV", 18, "");
  }

  function isB20(address token) external pure returns (bool) {
    return uint160(token) >> 80 == 0xb2000000000000000000;
  }
}

contract PolicyRegistry {
  struct Policy {
    address admin;
    address pending;
    bool exists;
    mapping(address => bool) members;
    uint64[] children;
  }

  mapping(uint64 => Policy) private policies;

  function create(uint64 policy, address admin, uint64[] calldata children) external {
    policies[policy].exists = true;
    policies[policy].admin = admin;
    policies[policy].children = children;
  }

  function stage(uint64 policy, address pending) external {
    policies[policy].pending = pending;
  }

  function put(uint64 policy, address account, bool member) external {
    policies[policy].members[account] = member;
  }

  function policyExists(uint64 policy) external view returns (bool) {
    return policies[policy].exists;
  }

  function policyAdmin(uint64 policy) external view returns (address) {
    return policies[policy].admin;
  }

  function pendingPolicyAdmin(uint64 policy) external view returns (address) {
    return policies[policy].pending;
  }

  function compositePolicyChildIds(uint64 policy) external view returns (uint64[] memory) {
    return policies[policy].children;
  }

  /// The type stands in the upper byte: blocklist, allowlist, union, intersection.
  function isAuthorized(uint64 policy, address account) public view returns (bool) {
    if (policy == 0) return true;
    uint64 kind = policy >> 56;
    if (kind < 2) return policies[policy].members[account] == (kind == 1);
    uint64[] storage children = policies[policy].children;
    for (uint256 i = 0; i < children.length; i++)
      if (isAuthorized(children[i], account) == (kind == 2)) return kind == 2;
    return kind == 3;
  }
}

contract B20 is OpenCoin {
  IPolicies private constant POLICIES = IPolicies(0x8453000000000000000000000000000000000002);
  bytes32 private constant SENDER = keccak256("TRANSFER_SENDER_POLICY");
  bytes32 private constant RECEIVER = keccak256("TRANSFER_RECEIVER_POLICY");
  bytes32 private constant EXECUTOR = keccak256("TRANSFER_EXECUTOR_POLICY");

  uint256 public supplyCap;
  mapping(bytes32 => mapping(address => bool)) public hasRole;
  mapping(bytes32 => bytes32) public getRoleAdmin;
  mapping(bytes32 => uint64) public policyId;
  mapping(uint8 => bool) public isPaused;

  event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
  event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

  function name() external pure returns (string memory) {
    return "Harbour Light";
  }

  function symbol() external pure returns (string memory) {
    return "HRBLT";
  }

  function decimals() external pure returns (uint8) {
    return 18;
  }

  // Set up by the test in place of the factory's `initCalls`.
  function give(address to, uint256 amount, uint256 cap) external {
    supplyCap = cap;
    birth(to, amount);
  }

  function grant(bytes32 role, address account, bool granted) external {
    hasRole[role][account] = granted;
    if (granted) emit RoleGranted(role, account, msg.sender);
    else emit RoleRevoked(role, account, msg.sender);
  }

  function seal(bytes32 role) external {
    getRoleAdmin[role] = role;
  }

  function setPolicy(bytes32 scope, uint64 policy) external {
    policyId[scope] = policy;
  }

  function setPaused(uint8 feature, bool paused) external {
    isPaused[feature] = paused;
  }

  function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
    require(POLICIES.isAuthorized(policyId[EXECUTOR], msg.sender), "PolicyForbids");
    if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
    pay(from, to, amount);
    return true;
  }

  function pay(address from, address to, uint256 amount) internal override {
    require(!isPaused[0], "ContractPaused");
    require(POLICIES.isAuthorized(policyId[SENDER], from), "PolicyForbids");
    require(POLICIES.isAuthorized(policyId[RECEIVER], to), "PolicyForbids");
    super.pay(from, to, amount);
  }
}
