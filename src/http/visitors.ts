import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import type { Page } from "../web/page.ts"

/** A browser asks for HTML by name; machines that send `*` get JSON. */
export const wantsHtml = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(headers["accept"] ?? "")

/** A page on the wire, under its own policy. */
export const pageResponse = (
  page: Page,
  status: number,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page.html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": page.contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...headers
    }
  })
