import { schema } from "../dialect.ts"

/** Where the address begins in `account` of a Solana merchant: behind `solana:<reference of the mainnet>:`. */
const ADDRESS = 41

/**
 * One transaction on Solana may move money to several merchants, so that a transfer without an order is named by its account,
 * too. What is watched until its block is final (`stray <evidence>`) follows.
 */
export default schema(({ sql }) => {
  const address = sql`substr(account, ${sql.literal(String(ADDRESS))})`
  const named = sql`SELECT ':' || ${address} FROM unassigned_transfers WHERE 'stray ' || evidence = claimant`
  return [
    sql`UPDATE checkout_sightings SET claimant = claimant || (${named})
      WHERE claimant LIKE 'stray solana:%' AND EXISTS (${named})`,
    sql`UPDATE unassigned_transfers SET evidence = evidence || ':' || ${address} WHERE account LIKE 'solana:%'`
  ]
})
