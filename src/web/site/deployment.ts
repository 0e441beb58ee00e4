/** A token that the pages offer to try. */
export interface ExampleToken {
  readonly chain: "base" | "solana"
  readonly address: string
  readonly name: string
}

/** What the pages have to know of the deployment. Prices are decimal USD. */
export interface Deployment {
  readonly publicUrl: string
  readonly prices: { readonly ping: string; readonly deep: string }
  /** The free tier in words, where anybody has free calls. */
  readonly freeTier: string | undefined
  readonly checkoutService: string
  readonly examples: ReadonlyArray<ExampleToken>
}
