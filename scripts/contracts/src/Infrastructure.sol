// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Contract wallet that accepts 65-byte signatures of its owner's key (ERC-1271) and executes calls for the owner.
contract SmartWallet {
  address public owner;

  function initialize(address newOwner) external {
    require(owner == address(0), "SmartWallet: initialized");
    owner = newOwner;
  }

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (signature.length != 65) return 0xffffffff;
    address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
    return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }

  function execute(address target, uint256 value, bytes calldata data) external returns (bytes memory) {
    require(msg.sender == owner, "SmartWallet: not the owner");
    (bool ok, bytes memory answer) = target.call{value: value}(data);
    require(ok, "SmartWallet: call failed");
    return answer;
  }

  receive() external payable {}
}

/// The parts of Multicall3's interface that clients use.
contract Multicall {
  struct Call {
    address target;
    bytes callData;
  }
  struct Call3 {
    address target;
    bool allowFailure;
    bytes callData;
  }
  struct Result {
    bool success;
    bytes returnData;
  }

  function aggregate(Call[] calldata calls) external payable returns (uint256 blockNumber, bytes[] memory returnData) {
    blockNumber = block.number;
    returnData = new bytes[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      bool success;
      (success, returnData[i]) = calls[i].target.call(calls[i].callData);
      require(success, "Multicall3: call failed");
    }
  }

  function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
      require(results[i].success || !requireSuccess, "Multicall3: call failed");
    }
  }

  function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
    results = new Result[](calls.length);
    for (uint256 i = 0; i < calls.length; i++) {
      (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
      require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
    }
  }

  function getBlockNumber() external view returns (uint256) {
    return block.number;
  }

  function getBlockHash(uint256 blockNumber) external view returns (bytes32) {
    return blockhash(blockNumber);
  }

  function getCurrentBlockTimestamp() external view returns (uint256) {
    return block.timestamp;
  }

  function getChainId() external view returns (uint256) {
    return block.chainid;
  }

  function getBasefee() external view returns (uint256) {
    return block.basefee;
  }

  function getEthBalance(address account) external view returns (uint256) {
    return account.balance;
  }
}

/// Wrapped ether with WETH9's interface and events.
contract Weth {
  string public constant name = "Wrapped Ether";
  string public constant symbol = "WETH";
  uint8 public constant decimals = 18;

  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  event Approval(address indexed owner, address indexed spender, uint256 value);
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Deposit(address indexed to, uint256 value);
  event Withdrawal(address indexed from, uint256 value);

  receive() external payable {
    deposit();
  }

  function deposit() public payable {
    balanceOf[msg.sender] += msg.value;
    emit Deposit(msg.sender, msg.value);
  }

  function withdraw(uint256 value) external {
    require(balanceOf[msg.sender] >= value);
    balanceOf[msg.sender] -= value;
    emit Withdrawal(msg.sender, value);
    (bool ok, ) = msg.sender.call{value: value}("");
    require(ok);
  }

  function totalSupply() external view returns (uint256) {
    return address(this).balance;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    return transferFrom(msg.sender, to, value);
  }

  function transferFrom(address from, address to, uint256 value) public returns (bool) {
    require(balanceOf[from] >= value);
    if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) {
      require(allowance[from][msg.sender] >= value);
      allowance[from][msg.sender] -= value;
    }
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
    return true;
  }
}

/// A price feed with the aggregator interface, 8 decimals. It is always fresh unless an age is set.
contract PriceFeed {
  uint8 public constant decimals = 8;
  string public constant description = "ETH / USD";
  uint256 public constant version = 4;

  address public operator;
  int256 public answer;
  uint256 public age;

  function initialize(address newOperator, int256 newAnswer) external {
    require(operator == address(0), "PriceFeed: initialized");
    operator = newOperator;
    answer = newAnswer;
  }

  /// `newAge`: seconds by which `updatedAt` lags behind the block, to play a stale feed.
  function set(int256 newAnswer, uint256 newAge) external {
    require(msg.sender == operator, "PriceFeed: not the operator");
    answer = newAnswer;
    age = newAge;
  }

  function latestAnswer() external view returns (int256) {
    return answer;
  }

  function latestRoundData()
    external
    view
    returns (uint80 roundId, int256 current, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
  {
    uint256 time = block.timestamp - age;
    return (uint80(block.number), answer, time, time, uint80(block.number));
  }
}

interface IV3Pool {
  function mint(
    address recipient,
    int24 tickLower,
    int24 tickUpper,
    uint128 amount,
    bytes calldata data
  ) external returns (uint256 amount0, uint256 amount1);

  function token0() external view returns (address);

  function token1() external view returns (address);
}

interface ITransfer {
  function transfer(address to, uint256 value) external returns (bool);
}

/// Adds V3 liquidity from its own balances. It has no way to take the position back: the liquidity stays for good.
contract V3Minter {
  address private expectedPool;

  function mint(address pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
    expectedPool = pool;
    IV3Pool(pool).mint(address(this), tickLower, tickUpper, liquidity, "");
    expectedPool = address(0);
  }

  function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
    _pay(amount0, amount1);
  }

  /// PancakeSwap's pools call it by this name.
  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
    _pay(amount0, amount1);
  }

  function _pay(uint256 amount0, uint256 amount1) private {
    require(msg.sender == expectedPool, "V3Minter: not the pool");
    if (amount0 > 0) ITransfer(IV3Pool(msg.sender).token0()).transfer(msg.sender, amount0);
    if (amount1 > 0) ITransfer(IV3Pool(msg.sender).token1()).transfer(msg.sender, amount1);
  }
}
