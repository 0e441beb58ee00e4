import type { HttpServerError } from "@effect/platform"
import { StartError } from "../domain/errors.ts"
import { codeIn } from "../storage/open-errors.ts"

interface Listen {
  readonly host: string
  readonly port: number
}

/** Why the server could not listen, in one line for the operator. */
export const listenError = ({ host, port }: Listen, error: HttpServerError.ServeError): StartError => {
  const code = codeIn(error.cause)
  switch (code) {
    case "EADDRINUSE":
      return new StartError({
        variable: "PORT",
        problem: `${port} on ${host} is taken by another process`,
        remedy: "stop that process, or set another port"
      })
    case "EACCES":
      return new StartError({
        variable: "PORT",
        problem: `this user may not listen on ${port}`,
        remedy: "set a port from 1024, and let a proxy listen below"
      })
    default:
      return new StartError({
        variable: "HOST",
        problem: `${host} cannot be listened on (${code})`,
        remedy: "set an address of this machine: 127.0.0.1 behind a proxy, 0.0.0.0 in a container"
      })
  }
}
