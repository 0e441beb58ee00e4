/** A fake world as a node on loopback tells it, in a real node's own JSON. */
import { Effect, Schema, type Scope } from "effect"
import { serveJson } from "../../../scripts/sandbox/json-server.ts"
import type { SolanaAccount, SolanaRpc, SolanaSimulation } from "../../../src/chain/chain-rpc.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import type { UpstreamError } from "../../../src/domain/errors.ts"

const Slice = Schema.Struct({ offset: Schema.Number, length: Schema.Number })
const Memcmp = Schema.Struct({ memcmp: Schema.Struct({ offset: Schema.Number, bytes: SolanaAddress }) })
const Size = Schema.Struct({ dataSize: Schema.Number })
const slice = { dataSlice: Schema.optional(Slice) }

const Request = Schema.Union(
  Schema.Struct({
    id: Schema.Unknown,
    method: Schema.Literal("getMultipleAccounts"),
    params: Schema.Tuple(Schema.Array(SolanaAddress), Schema.Struct(slice))
  }),
  Schema.Struct({
    id: Schema.Unknown,
    method: Schema.Literal("getTokenLargestAccounts"),
    params: Schema.Tuple(SolanaAddress, Schema.Unknown)
  }),
  Schema.Struct({
    id: Schema.Unknown,
    method: Schema.Literal("getProgramAccounts"),
    params: Schema.Tuple(
      SolanaAddress,
      Schema.Struct({ dataSlice: Slice, filters: Schema.Array(Schema.Union(Memcmp, Size)) })
    )
  }),
  Schema.Struct({
    id: Schema.Unknown,
    method: Schema.Literal("simulateTransaction"),
    params: Schema.Tuple(
      Schema.String,
      Schema.Struct({ accounts: Schema.Struct({ addresses: Schema.Array(SolanaAddress) }) })
    )
  })
)
type Request = typeof Request.Type
const decodeBody = Schema.decodeUnknownSync(Schema.parseJson(Schema.Union(Request, Schema.Array(Request))))
const isBatch = (body: Request | ReadonlyArray<Request>): body is ReadonlyArray<Request> =>
  Array.isArray(body)

const toWire = ({ data, lamports, owner, space }: SolanaAccount) => ({
  owner,
  lamports,
  data: [Buffer.from(data).toString("base64"), "base64"],
  space,
  executable: false
})
const orNone = (account: SolanaAccount | null) => (account === null ? null : toWire(account))
const context = { slot: 1000 }

const errorOf = (failure: SolanaSimulation["failure"]) => {
  if (failure === null) return null
  const { code, instruction } = failure
  if (instruction === null) return code
  const detail = code.startsWith("Custom") ? { Custom: Number(code.slice(6)) } : code
  return { InstructionError: [instruction, detail] }
}

const resultOf = (rpc: SolanaRpc, request: Request): Effect.Effect<unknown, UpstreamError> => {
  switch (request.method) {
    case "getMultipleAccounts": {
      const [addresses, { dataSlice }] = request.params
      const options = dataSlice === undefined ? {} : { slice: dataSlice }
      return Effect.map(rpc.getAccounts(addresses, options), ({ accounts }) => ({
        context,
        value: accounts.map(orNone)
      }))
    }
    case "getTokenLargestAccounts":
      return Effect.map(rpc.getLargestTokenAccounts(request.params[0]), ({ balances }) => ({
        context,
        value: balances.map(({ address, amount }) => ({ address, amount: amount.toString() }))
      }))
    case "getProgramAccounts": {
      const [program, { dataSlice, filters }] = request.params
      const [memcmp] = filters.flatMap((filter) => ("memcmp" in filter ? [filter.memcmp] : []))
      const [size] = filters.flatMap((filter) => ("dataSize" in filter ? [filter.dataSize] : []))
      if (memcmp === undefined) return Effect.dieMessage("a search for everything")
      const query = {
        offset: memcmp.offset,
        holds: memcmp.bytes,
        ...(size === undefined ? {} : { size })
      }
      return Effect.map(rpc.getProgramAccounts(program, query, dataSlice), ({ accounts }) => ({
        context,
        value: accounts.map(({ address, data, owner }) => ({
          pubkey: address,
          account: toWire({ data, owner, lamports: 1n, space: data.length })
        }))
      }))
    }
    case "simulateTransaction": {
      const [transaction, { accounts }] = request.params
      return Effect.map(rpc.simulate(transaction, accounts.addresses), (done) => ({
        context,
        value: {
          err: errorOf(done.failure),
          logs: done.logs,
          accounts: done.accounts.map(orNone),
          unitsConsumed: 100_000
        }
      }))
    }
  }
}

/** Serves what a fake RPC knows; gives its URL. */
export const serveSolana = (rpc: SolanaRpc): Effect.Effect<{ readonly url: string }, never, Scope.Scope> => {
  const answer = (request: Request) =>
    resultOf(rpc, request).pipe(
      Effect.match({
        onFailure: () => ({ error: { code: -32601, message: "Method not found" } }),
        onSuccess: (result) => ({ result })
      }),
      Effect.map((said) => ({ jsonrpc: "2.0", id: request.id, ...said })),
      Effect.runPromise
    )
  return serveJson(async ({ body }) => {
    const requests = decodeBody(body)
    return {
      status: 200,
      body: isBatch(requests) ? await Promise.all(requests.map(answer)) : await answer(requests)
    }
  })
}
