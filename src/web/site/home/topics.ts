/** A question a person asks about a token, and which signals answer it. */
export interface Topic {
  readonly id: string
  readonly title: string
  /** Matches the ids of its signals. A signal belongs to the first topic that matches; the last one takes the rest. */
  readonly ids: string
}

/**
 * In the order of the page, which is not the order of matching: a power over fees is a power, a holder's simulated sale
 * is a sale. A new signal needs no entry here; one that nothing matches says what the token is.
 */
export const TOPICS: ReadonlyArray<Topic> = [
  {
    id: "sale",
    title: "What a sale would bring",
    ids: "SELL|SALE|BUY|TAX|HONEYPOT|TRADING|WALLET|SIMULATION|ROUND_TRIP|FEE|BLOCKED|POOLS_CLOSED|TRANSFERABLE"
  },
  {
    id: "holders",
    title: "Who holds the rest",
    ids: "HOLDER|HOLDS|HOLDINGS|INSIDER|SPLIT_SUPPLY|CLOSED_CIRCLE|OWNER_SUPPLY|HIDDEN_SUPPLY|CREATOR"
  },
  {
    id: "powers",
    title: "What somebody could still do to it",
    ids: "POWER|AUTHORITY|OWNER_ACTIVE|HIDDEN_OWNER|RENOUNCE|ADMIN|UPGRADEABLE|REPLACEABLE|PAUSED|PERMANENT_DELEGATE|HOOK$|FROZEN$|PROVEN|_GATE|NATIVE_TRANSFERS|BURN|MUTABLE|CONFIDENTIAL"
  },
  {
    id: "pools",
    title: "Its pools and its price",
    ids: "LIQUIDITY|^LP_|PRICE|POOL|MARKET|QUOTES|VENUE"
  },
  { id: "identity", title: "What it is", ids: "" }
]

/** Powers first, then holders, unless the signal is about a holder's sale. */
const MATCHING = ["powers", "sale", "holders", "pools", "identity"]

/** The topics as the page's script reads them: id and pattern, in the order of matching. */
export const topicPatterns: ReadonlyArray<readonly [string, string]> = MATCHING.map((id) => [
  id,
  TOPICS.find((topic) => topic.id === id)?.ids ?? ""
])
