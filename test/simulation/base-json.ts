/** Blocks and receipts of the simulated Base as a node writes them. */
import { numberToHex } from "viem"
import type { SimBlock, SimReceipt } from "./base-chain.ts"

const ZEROS = `0x${"00".repeat(256)}` as const

export const blockOf = ({ baseFee, hash, number, time }: SimBlock) => ({
  number: numberToHex(number),
  hash,
  parentHash: hash,
  timestamp: numberToHex(time),
  baseFeePerGas: numberToHex(baseFee),
  gasLimit: "0x3938700",
  gasUsed: "0x0",
  size: "0x0",
  difficulty: "0x0",
  totalDifficulty: "0x0",
  logsBloom: ZEROS,
  transactions: [],
  uncles: [],
  extraData: "0x",
  nonce: "0x0000000000000000",
  mixHash: hash,
  miner: "0x0000000000000000000000000000000000000000",
  sha3Uncles: hash,
  receiptsRoot: hash,
  stateRoot: hash,
  transactionsRoot: hash
})

export const receiptOf = (block: SimBlock, { gasPrice, logs, succeeded, transaction }: SimReceipt) => ({
  transactionHash: transaction.hash,
  transactionIndex: "0x0",
  blockHash: block.hash,
  blockNumber: numberToHex(block.number),
  from: transaction.from,
  to: transaction.to,
  contractAddress: null,
  cumulativeGasUsed: "0x0",
  gasUsed: numberToHex(75_000 * Math.max(1, transaction.transfers.length)),
  effectiveGasPrice: numberToHex(gasPrice),
  logsBloom: ZEROS,
  status: succeeded ? "0x1" : "0x0",
  type: "0x2",
  logs: logs.map((log, index) => ({
    ...log,
    logIndex: numberToHex(index),
    transactionIndex: "0x0",
    transactionHash: transaction.hash,
    blockHash: block.hash,
    blockNumber: numberToHex(block.number),
    removed: false
  }))
})
