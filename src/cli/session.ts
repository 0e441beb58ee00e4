import { Context, Layer } from "effect"

/** What the command line has to know when it is interrupted: whether money may be on its way, and by which payments. */
export class Session extends Context.Tag("token-risk/cli/Session")<
  Session,
  {
    /** Smallest units of USDC signed away so far. Replaced by the command that pays. */
    committed: () => Promise<bigint>
    /** Payments of calls that were cut off: sent, and nobody heard what became of them. */
    readonly open: Array<string>
  }
>() {}

export const SessionLive = Layer.sync(Session, () => ({ committed: async () => 0n, open: [] }))
