/** The functions of the placed contracts that the sandbox calls. */
import { parseAbi } from "viem"

export const erc20 = parseAbi([
  "function approve(address spender, uint256 value) returns (bool)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function decimals() view returns (uint8)",
  "function name() view returns (string)",
  "function symbol() view returns (string)"
])

export const usdc = parseAbi([
  "function initialize(address newOwner)",
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function blacklist(address account)",
  "function unBlacklist(address account)",
  "function setPaused(bool value)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)"
])

export const weth = parseAbi(["function deposit() payable", "function withdraw(uint256 value)"])

export const smartWallet = parseAbi(["function initialize(address newOwner)"])

export const priceFeed = parseAbi([
  "function initialize(address newOperator, int256 newAnswer)",
  "function set(int256 newAnswer, uint256 newAge)",
  "function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)"
])

export const sandboxToken = parseAbi([
  "function renounceOwnership()",
  "function owner() view returns (address)",
  "function mint(address to, uint256 value)",
  "function setPair(address newPair)",
  "function setSellFee(uint256 bps)",
  "function setCanSell(address account, bool value)",
  "function blacklist(address account, bool value)"
])

export const v2Factory = parseAbi([
  "function getPair(address tokenA, address tokenB) view returns (address)",
  "function createPair(address tokenA, address tokenB) returns (address)",
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 index)"
])

export const v2Router = parseAbi([
  "function factory() view returns (address)",
  "function WETH() view returns (address)",
  "function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256, uint256, uint256)",
  "function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable returns (uint256, uint256, uint256)",
  "function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])"
])

export const v3Factory = parseAbi([
  "function createPool(address tokenA, address tokenB, uint24 fee) returns (address)",
  "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)",
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function feeAmountTickSpacing(uint24 fee) view returns (int24)",
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)"
])

export const v3Pool = parseAbi([
  "function initialize(uint160 sqrtPriceX96)",
  "function token0() view returns (address)",
  "function liquidity() view returns (uint128)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)"
])

export const v3Minter = parseAbi([
  "function mint(address pool, int24 tickLower, int24 tickUpper, uint128 liquidity)"
])

/** V3's positions, and Slipstream's in these sandboxes: one `fee` names the pool. */
export const positions = parseAbi([
  "struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct IncreaseParams { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function increaseLiquidity(IncreaseParams params) payable returns (uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function multicall(bytes[] data) payable returns (bytes[])",
  "function approve(address to, uint256 tokenId)",
  "function setApprovalForAll(address operator, bool approved)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"
])

export const v4Positions = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "function initializePool(PoolKey key, uint160 sqrtPriceX96) payable returns (int24)",
  "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
  "function nextTokenId() view returns (uint256)"
])

export const permit2 = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)"
])

export const slipstream = parseAbi([
  "function createPool(address a, address b, int24 spacing) returns (address)",
  "function getPool(address a, address b, int24 spacing) view returns (address)",
  "function setGauge(address pool, address gauge)",
  "function deposit(address nft, uint256 id)"
])
