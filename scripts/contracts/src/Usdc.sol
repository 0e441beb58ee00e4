// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC1271 {
  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// A local double of USDC as it stands on Base: ERC-20, EIP-3009, EIP-2612, ERC-1271 payers, blacklist, pause.
/// It has no constructor, so its runtime code can be placed at the canonical address.
contract Usdc {
  string public constant name = "USD Coin";
  string public constant symbol = "USDC";
  string public constant currency = "USD";
  string public constant version = "2";
  uint8 public constant decimals = 6;

  bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
    keccak256(
      "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
  bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH =
    keccak256(
      "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
  bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
    keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
  bytes32 public constant PERMIT_TYPEHASH =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 private constant DOMAIN_TYPEHASH =
    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
  uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => uint256) public nonces;
  mapping(address => mapping(bytes32 => bool)) private usedAuthorizations;
  mapping(address => bool) public isBlacklisted;
  bool public paused;
  /// Minter, blacklister and pauser in one: the sandbox has a single operator.
  address public owner;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event Mint(address indexed minter, address indexed to, uint256 amount);
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
  event Blacklisted(address indexed account);
  event UnBlacklisted(address indexed account);

  modifier onlyOwner() {
    require(msg.sender == owner, "Ownable: caller is not the owner");
    _;
  }

  modifier whenNotPaused() {
    require(!paused, "Pausable: paused");
    _;
  }

  modifier notBlacklisted(address account) {
    require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
    _;
  }

  function initialize(address newOwner) external {
    require(owner == address(0), "FiatToken: contract is already initialized");
    owner = newOwner;
  }

  function mint(address to, uint256 amount) external onlyOwner returns (bool) {
    totalSupply += amount;
    balanceOf[to] += amount;
    emit Mint(msg.sender, to, amount);
    emit Transfer(address(0), to, amount);
    return true;
  }

  function blacklist(address account) external onlyOwner {
    isBlacklisted[account] = true;
    emit Blacklisted(account);
  }

  function unBlacklist(address account) external onlyOwner {
    isBlacklisted[account] = false;
    emit UnBlacklisted(account);
  }

  function setPaused(bool value) external onlyOwner {
    paused = value;
  }

  function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
    _approve(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external whenNotPaused returns (bool) {
    _transfer(msg.sender, to, value);
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external whenNotPaused returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    require(value <= allowed, "ERC20: transfer amount exceeds allowance");
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _transfer(from, to, value);
    return true;
  }

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return
      keccak256(
        abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
      );
  }

  function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
    return usedAuthorizations[authorizer][nonce];
  }

  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
  }

  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    bytes memory signature
  ) public whenNotPaused {
    _useAuthorization(
      from,
      validAfter,
      validBefore,
      nonce,
      keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)),
      signature
    );
    _transfer(from, to, value);
  }

  function receiveWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
  }

  function receiveWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    bytes memory signature
  ) public whenNotPaused {
    require(to == msg.sender, "FiatTokenV2: caller must be the payee");
    _useAuthorization(
      from,
      validAfter,
      validBefore,
      nonce,
      keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)),
      signature
    );
    _transfer(from, to, value);
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public whenNotPaused {
    require(!usedAuthorizations[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
    _requireSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
    usedAuthorizations[authorizer][nonce] = true;
    emit AuthorizationCanceled(authorizer, nonce);
  }

  function permit(
    address holder,
    address spender,
    uint256 value,
    uint256 deadline,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external whenNotPaused {
    require(deadline == type(uint256).max || deadline >= block.timestamp, "FiatTokenV2: permit is expired");
    bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline));
    require(_isSignedBy(holder, _digest(structHash), abi.encodePacked(r, s, v)), "EIP2612: invalid signature");
    _approve(holder, spender, value);
  }

  function _useAuthorization(
    address from,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    bytes32 structHash,
    bytes memory signature
  ) private {
    require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
    require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
    require(!usedAuthorizations[from][nonce], "FiatTokenV2: authorization is used or canceled");
    _requireSignature(from, structHash, signature);
    usedAuthorizations[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
  }

  function _requireSignature(address signer, bytes32 structHash, bytes memory signature) private view {
    require(_isSignedBy(signer, _digest(structHash), signature), "FiatTokenV2: invalid signature");
  }

  function _digest(bytes32 structHash) private view returns (bytes32) {
    return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
  }

  function _isSignedBy(address signer, bytes32 digest, bytes memory signature) private view returns (bool) {
    if (signer.code.length > 0) {
      (bool ok, bytes memory answer) = signer.staticcall(
        abi.encodeCall(IERC1271.isValidSignature, (digest, signature))
      );
      return ok && answer.length >= 32 && abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
    }
    require(signature.length == 65, "ECRecover: invalid signature length");
    bytes32 r;
    bytes32 s;
    uint8 v;
    assembly {
      r := mload(add(signature, 0x20))
      s := mload(add(signature, 0x40))
      v := byte(0, mload(add(signature, 0x60)))
    }
    require(uint256(s) <= HALF_ORDER, "ECRecover: invalid signature 's' value");
    require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
    address recovered = ecrecover(digest, v, r, s);
    require(recovered != address(0), "ECRecover: invalid signature");
    return recovered == signer;
  }

  function _approve(
    address holder,
    address spender,
    uint256 value
  ) private notBlacklisted(holder) notBlacklisted(spender) {
    require(holder != address(0), "ERC20: approve from the zero address");
    require(spender != address(0), "ERC20: approve to the zero address");
    allowance[holder][spender] = value;
    emit Approval(holder, spender, value);
  }

  function _transfer(address from, address to, uint256 value) private notBlacklisted(from) notBlacklisted(to) {
    require(from != address(0), "ERC20: transfer from the zero address");
    require(to != address(0), "ERC20: transfer to the zero address");
    require(value <= balanceOf[from], "ERC20: transfer amount exceeds balance");
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}
