/** A server as the service runs it, and callers that speak to it in bytes. */
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { type Agent, request } from "node:http"
import { makeNodeServer } from "../../../src/server/node-server.ts"

type Handler = Parameters<ReturnType<typeof makeNodeServer>["on"]>[1]

export const listen = async (handler: Handler, unreadMillis?: number) => {
  const server = makeNodeServer(undefined, unreadMillis)
  server.on("request", handler)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { server, port }
}

export const serving = (_request: unknown, response: { end: (text: string) => void }) =>
  response.end("served")

export const get = (port: number, agent: Agent | undefined, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string; connection: string | undefined }>((resolve, reject) => {
    const call = request({ port, host: "127.0.0.1", agent, headers }, (response) => {
      let body = ""
      response.on("data", (chunk) => (body += String(chunk)))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, connection: response.headers.connection })
      )
    })
    call.on("error", reject)
    call.end()
  })

export const raw = (port: number, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => (text += String(chunk)))
    socket.on("close", () => resolve(text))
    // A server that has answered need not read the rest: the connection may then end with a reset.
    socket.on("error", (error) => (text === "" ? reject(error) : resolve(text)))
  })
