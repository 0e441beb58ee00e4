import { selectorsOf } from "../../../../bytecode/selector.ts"

const KEY = "(address,address,uint24,int24,address)"
const LIQUIDITY = "(int24,int24,int256,bytes32)"
const SWAP = "(bool,int256,uint160)"

/**
 * Source: the interfaces of Uniswap V2, V3 and V4, of their forks (Aerodrome, PancakeSwap, Algebra, Infinity, Biswap,
 * BasedSwap, Solidly, Ramses), and of KyberSwap, Maverick, iZUMi, DODO, Ekubo and EulerSwap.
 */
const POOLS = [
  ...[
    "uniswapV2Call",
    "pancakeCall",
    "hook",
    "BiswapCall",
    "basedswapCall",
    "uniswapCall",
    "swapCall",
    "eulerSwapCall"
  ].map((name) => `${name}(address,uint256,uint256,bytes)`),
  // Names that further forks of Uniswap V2 on Base may have chosen after their own; no token has use for them.
  ...["baseSwap", "BaseSwap", "baseswap", "alienBase", "AlienBase", "alienbase", "sushi", "sushiswap"].map(
    (name) => `${name}Call(address,uint256,uint256,bytes)`
  ),
  ...["uniswapV3", "pancakeV3", "algebra", "solidlyV3", "ramsesV2"].flatMap((name) => [
    `${name}SwapCallback(int256,int256,bytes)`,
    `${name}MintCallback(uint256,uint256,bytes)`,
    `${name}FlashCallback(uint256,uint256,bytes)`
  ]),
  "unlockCallback(bytes)",
  "lockAcquired(bytes)",
  "locked(uint256)",
  "forwarded(uint256,address)",
  "payCallback(uint256,address)",
  ...["swap", "mint", "flash"].flatMap((name) => [
    `${name}Callback(int256,int256,bytes)`,
    `${name}Callback(uint256,uint256,bytes)`
  ]),
  ...["swapX2Y", "swapY2X", "mintDeposit", "addLiquidity"].map(
    (name) => `${name}Callback(uint256,uint256,bytes)`
  ),
  ...["Swap", "AddLiquidity"].map((name) => `maverickV2${name}Callback(address,uint256,uint256,bytes)`),
  ...["DVM", "DPP", "DSP"].map((name) => `${name}FlashLoanCall(address,uint256,uint256,bytes)`),
  "DVMSellShareCall(address,uint256,uint256,uint256,bytes)",
  "CPCancelCall(address,uint256,bytes)",
  "CPClaimBidCall(address,uint256,uint256,bytes)"
]

/** What Uniswap V4's PoolManager calls of a pool's hook. Source: IHooks. */
const HOOKS = [
  `beforeInitialize(address,${KEY},uint160)`,
  `afterInitialize(address,${KEY},uint160,int24)`,
  ...["Add", "Remove"].flatMap((way) => [
    `before${way}Liquidity(address,${KEY},${LIQUIDITY},bytes)`,
    `after${way}Liquidity(address,${KEY},${LIQUIDITY},int256,int256,bytes)`
  ]),
  `beforeSwap(address,${KEY},${SWAP},bytes)`,
  `afterSwap(address,${KEY},${SWAP},int256,bytes)`,
  `beforeDonate(address,${KEY},uint256,uint256,bytes)`,
  `afterDonate(address,${KEY},uint256,uint256,bytes)`
]

/** What Algebra's pools call of the plugin that whoever opened them named. Source: IAlgebraPlugin. */
const PLUGINS = [
  "beforeInitialize(address,uint160)",
  "afterInitialize(address,uint160,int24)",
  "beforeModifyPosition(address,address,int24,int24,int128,bytes)",
  "afterModifyPosition(address,address,int24,int24,int128,uint256,uint256,bytes)",
  "beforeSwap(address,address,bool,int256,uint160,bool,bytes)",
  "afterSwap(address,address,bool,int256,uint160,int256,int256,bytes)",
  "beforeFlash(address,address,uint256,uint256,bytes)",
  "afterFlash(address,address,uint256,uint256,uint256,uint256,bytes)",
  "handlePluginFee(uint256,uint256)"
]

const REQUEST = "(uint8,address,address,uint256,bytes32,uint256,address,address,bytes)"

/**
 * What Balancer V2's vault, which keeps all pools' coins, calls of whoever registered as a pool, as a coin can when it is
 * born. Source: IBasePool, IMinimalSwapInfoPool, IGeneralPool.
 */
const OLD_VAULT = [
  ...["Join", "Exit"].map((way) => `on${way}Pool(bytes32,address,address,uint256[],uint256,uint256,bytes)`),
  `onSwap(${REQUEST},uint256,uint256)`,
  `onSwap(${REQUEST},uint256[],uint256,uint256)`
]

const CHANGE = "uint8,uint256[],uint256,uint256[],bytes"
const SWAPPED = "uint8,uint256,uint256[],uint256,uint256,address,bytes"

/** What Balancer V3's vault, which keeps all pools' coins, calls of a pool or of its hooks. Source: IBasePool, IPoolLiquidity, IHooks. */
const VAULT = [
  `onSwap((${SWAPPED}))`,
  "onAddLiquidityCustom(address,uint256[],uint256,uint256[],bytes)",
  "onRemoveLiquidityCustom(address,uint256,uint256[],uint256[],bytes)",
  "onRegister(address,address,(address,uint8,address,bool)[],(bool,bool,bool,bool))",
  "onBeforeInitialize(uint256[],bytes)",
  "onAfterInitialize(uint256[],uint256,bytes)",
  `onBeforeAddLiquidity(address,address,${CHANGE})`,
  "onAfterAddLiquidity(address,address,uint8,uint256[],uint256[],uint256,uint256[],bytes)",
  "onBeforeRemoveLiquidity(address,address,uint8,uint256,uint256[],uint256[],bytes)",
  "onAfterRemoveLiquidity(address,address,uint8,uint256,uint256[],uint256[],uint256[],bytes)",
  `onBeforeSwap((${SWAPPED}),address)`,
  "onAfterSwap((uint8,address,address,uint256,uint256,uint256,uint256,uint256,uint256,address,address,bytes))"
]

const ORDER = `(${Array.from({ length: 8 }, () => "uint256").join()})`

/**
 * What settlers of orders, and keepers of positions, of streams and of what crosses a bridge call of whomever anybody names.
 * Source: 1inch's, Uniswap V4's, Sablier's lockups before they listed whom they call, and Across's.
 */
const SETTLERS = [
  ...["pre", "post", "taker"].map(
    (name) => `${name}Interaction(${ORDER},bytes,bytes32,address,uint256,uint256,uint256,bytes)`
  ),
  "notifySubscribe(uint256,bytes)",
  "notifyUnsubscribe(uint256)",
  "notifyModifyLiquidity(uint256,int256,int256)",
  "notifyBurn(uint256,address,uint256,uint256,int256)",
  "onStreamCanceled(uint256,uint128,uint128)",
  "onStreamCanceled(uint256,address,uint128,uint128)",
  "onStreamWithdrawn(uint256,address,uint128)",
  "onStreamWithdrawn(uint256,address,address,uint128)",
  "onStreamRenounced(uint256)",
  "handleV3AcrossMessage(address,uint256,address,bytes)"
]

/**
 * Source: Aave, Ajna, Balancer, Compound, Cream, Euler, Fluid, Liquidity Book, Morpho, ERC-3156, ERC-721, ERC-1155, ERC-777, ERC-1363, ERC-677,
 * ERC-223, and the function of that name that tokens of 2017 called.
 */
const LENDERS_AND_TOKENS = [
  "executeOperation(address,uint256,uint256,address,bytes)",
  "executeOperation(address[],uint256[],uint256[],address,bytes)",
  "executeOperation(address,address,uint256,uint256,bytes)",
  "accrueInterest()",
  "receiveFlashLoan(address[],uint256[],uint256[],bytes)",
  "onFlashLoan(address,address,uint256,uint256,bytes)",
  "onFlashLoan(bytes)",
  "atomicSwapCallback(uint256,uint256,bytes)",
  "LBFlashLoanCallback(address,address,address,bytes32,bytes32,bytes)",
  "LBFlashLoanCallback(address,address,uint256,uint256,bytes)",
  "liquidityCallback(address,uint256,bytes)",
  "dexCallback(address,uint256)",
  ...["FlashLoan", "Supply", "SupplyCollateral", "Repay", "Liquidate"].map(
    (name) => `onMorpho${name}(uint256,bytes)`
  ),
  "onERC721Received(address,address,uint256,bytes)",
  "onERC1155Received(address,address,uint256,uint256,bytes)",
  "onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)",
  "tokensReceived(address,address,address,uint256,bytes,bytes)",
  "tokensToSend(address,address,address,uint256,bytes,bytes)",
  "onTransferReceived(address,address,uint256,bytes)",
  "onApprovalReceived(address,uint256,bytes)",
  "onTokenTransfer(address,uint256,bytes)",
  "tokenFallback(address,uint256,bytes)",
  "tokenReceived(address,uint256,bytes)",
  "receiveApproval(address,uint256,address,bytes)"
]

/**
 * Functions that pools, lenders, settlers and other tokens call on the contract that called them, or that anybody names.
 * The caller is then a contract that holds other people's tokens, and the call does not mean that it wants to give any of
 * them away. Functions of names that nobody has listed may be such, too (`isGiving`); of these it is known.
 */
export const CALLBACKS: ReadonlySet<string> = new Set(
  selectorsOf([...POOLS, ...PLUGINS, ...OLD_VAULT, ...VAULT, ...HOOKS, ...SETTLERS, ...LENDERS_AND_TOKENS])
)
