import { OpenApi } from "@effect/platform"

/** What the OpenAPI document says of an endpoint: its operation id, one line, and more where one line is too short. */
export const described = (identifier: string, summary: string, description?: string) =>
  OpenApi.annotations({ identifier, summary, ...(description === undefined ? {} : { description }) })

/** For endpoints whose request has nothing that could be wrong: an id nobody issued is 404, a missing token 401. */
export const withoutBadRequest = (operation: Readonly<Record<string, unknown>>) => {
  const { "400": _never, ...responses } = Object(operation["responses"])
  return { ...operation, responses }
}
