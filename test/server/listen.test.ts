import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { publicUrlConfig } from "../../src/server/listen.ts"

const publicUrl = (variables: Readonly<Record<string, string>>) =>
  publicUrlConfig.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))))

describe("the public URL", () => {
  it.effect("is the operator's, without a slash at its end", () =>
    Effect.gen(function* () {
      expect(yield* publicUrl({ PUBLIC_URL: "https://risk.example/" })).toBe("https://risk.example")
      expect(yield* publicUrl({ PUBLIC_URL: "https://risk.example:8443" })).toBe("https://risk.example:8443")
    })
  )

  it.effect("with a path is refused: discovery looks below /.well-known, which is at a host's root", () =>
    Effect.gen(function* () {
      for (const text of ["https://risk.example/v1/", "https://risk.example/v1", "https://risk.example//"])
        expect(`${yield* Effect.flip(publicUrl({ PUBLIC_URL: text }))}`).toContain("without path")
    })
  )

  it.effect("is where the service listens when the operator names none", () =>
    Effect.gen(function* () {
      expect(yield* publicUrl({})).toBe("http://127.0.0.1:3402")
      expect(yield* publicUrl({ HOST: "::1", PORT: "80" })).toBe("http://[::1]:80")
    })
  )

  it.effect(
    "with a name and a password is refused without repeating them: it stands in every challenge",
    () =>
      Effect.gen(function* () {
        for (const text of ["https://user:hunter2@risk.example", "https://hunter2@risk.example"]) {
          const refused = `${yield* Effect.flip(publicUrl({ PUBLIC_URL: text }))}`
          expect(refused).toContain("PUBLIC_URL")
          expect(refused).not.toContain("hunter2")
        }
      })
  )

  it.effect("with a query, a fragment or another scheme is refused", () =>
    Effect.gen(function* () {
      for (const text of [
        "https://risk.example/?a=b",
        "https://risk.example/#a",
        "ftp://risk.example",
        "risk.example"
      ])
        expect(`${yield* Effect.flip(publicUrl({ PUBLIC_URL: text }))}`).toContain("PUBLIC_URL")
    })
  )
})
