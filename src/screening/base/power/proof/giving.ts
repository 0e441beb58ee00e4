import { selectorsOf } from "../../../../bytecode/selector.ts"

const each = (names: ReadonlyArray<string>, all: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => all.map((taken) => `${name}(${taken})`))

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** What holders do with an amount of their own. */
const AMOUNTS = each(
  [
    ...words("burn burnToken burnTokens destroy retire wrap unwrap deposit withdraw withdrawTo redeem"),
    ...words("exchange convert migrate swap stake unstake lock lockTokens enter leave join createLock"),
    ...words("increaseAmount sell buy purchase pay tip gift donate deliver reflect bridge bridgeTo")
  ],
  [
    "",
    "address",
    "address,uint256",
    "address,uint256,bytes",
    "address,uint256,uint256",
    "bytes32,uint256",
    "uint256",
    ...["uint256", "address", "bytes", "bytes32", "address,address", "uint256,address"].map(
      (others) => `uint256,${others}`
    )
  ]
)

/** What they give to many at once. */
const MANY = each(
  [
    ...words(
      "airdrop airDrop airdropTokens drop distribute distributeTokens disperse multiTransfer multisend"
    ),
    ...words("multiSend multiSendTokens sendMany sendBatch sendTokens batchTransfer bulkTransfer"),
    ...words("transferBatch transferMany transferMulti transferToMany")
  ],
  ["address[],uint256[]", "address[],uint256", "uint256[],address[]", "uint256,address[]", "address[]"]
)

const OFT = "(uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address"

/** What takes it to another chain. Source: LayerZero's OFT in both versions, Hyperlane, Axelar, Multichain, Chainlink's CCT. */
const CROSSING = [
  "sendFrom(address,uint16,bytes,uint256,address,address,bytes)",
  "sendFrom(address,uint16,bytes32,uint256,(address,address,bytes))",
  `send(${OFT})`,
  "transferRemote(uint32,bytes32,uint256)",
  "interchainTransfer(string,bytes,uint256,bytes)",
  "Swapout(uint256,address)",
  "withdrawToL1(address,uint256)"
]

/** Payments under other names than standards', and what takes the project's own balance along with its rights. */
const OTHERS = [
  ...each(["transferTokens", "sendToken", "safeTransfer", "transferWithMemo"], ["address,uint256"]),
  ...each(["transferWithMemo", "transferWithData", "safeTransfer"], ["address,uint256,bytes"]),
  "transferWithMemo(address,uint256,bytes32)",
  "transferWithMemo(address,uint256,string)",
  ...each(
    ["flash", "flashLoan"],
    ["uint256", "uint256,bytes", "address,uint256,bytes", "address,address,uint256,bytes"]
  ),
  "transferOwnership(address)",
  "renounceOwnership()",
  "burnAll()",
  ...each(["safeApprove"], ["address,uint256", "address,uint256,uint256"])
]

const GIVING: ReadonlySet<string> = new Set(selectorsOf([...AMOUNTS, ...MANY, ...CROSSING, ...OTHERS]))

/**
 * Functions by whose names whoever calls means to give something of his own, or to allow it. Any other name may be one
 * that some pool, lender or vault on the chain calls back, of whomever anybody names, while it holds what is others': there
 * are more of these than anybody could list.
 */
export const isGiving = (selector: string): boolean => GIVING.has(selector)
