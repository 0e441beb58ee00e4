/** Node's own server with nothing behind it: the bytes of our answer for every request, of any kind. */
import { createServer } from "node:http"

const body = Buffer.from(process.env["BENCH_BODY"] ?? "{}")
const headers = {
  "content-type": "application/json",
  "content-length": body.length,
  "payment-required": body.toString("base64")
}

createServer((request, response) => {
  if (request.url === "/healthz") {
    response.end("ok")
    return
  }
  request.resume()
  response.writeHead(402, headers)
  response.end(body)
}).listen(Number(process.env["PORT"]), "127.0.0.1")
