import { OpenApi } from "@effect/platform"

/** What the OpenAPI document says of an endpoint: its operation id, one line, and more where one line is too short. */
export const described = (identifier: string, summary: string, description?: string) =>
  OpenApi.annotations({ identifier, summary, ...(description === undefined ? {} : { description }) })
