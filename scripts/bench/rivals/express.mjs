import { paymentMiddleware } from "@x402/express"
import express from "express"
import { ANSWER, makePaywall } from "./paywall.mjs"

const { routes, server } = await makePaywall()
const app = express()
app.get("/healthz", (_request, response) => response.json({ status: "ok" }))
app.use(express.json())
app.use(paymentMiddleware(routes, server))
app.all("/api/token-risk/v1/:operation", (_request, response) => response.json(ANSWER))
app.listen(Number(process.env["PORT"]), "127.0.0.1")
