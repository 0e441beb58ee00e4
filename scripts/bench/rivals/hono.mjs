import { serve } from "@hono/node-server"
import { paymentMiddleware } from "@x402/hono"
import { Hono } from "hono"
import { ANSWER, makePaywall } from "./paywall.mjs"

const { routes, server } = await makePaywall()
const app = new Hono()
app.get("/healthz", (context) => context.json({ status: "ok" }))
app.use(paymentMiddleware(routes, server))
app.all("/api/token-risk/v1/:operation", (context) => context.json(ANSWER))
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"]) })
