import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { describeConfigError } from "../../src/server/config-errors.ts"
import { listenConfig, publicUrlConfig } from "../../src/server/listen.ts"

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

describe("where to listen", () => {
  const listen = (HOST: string) =>
    Effect.withConfigProvider(listenConfig, ConfigProvider.fromMap(new Map([["HOST", HOST]])))

  it.effect("is an address, of either version and in any spelling, or a host's name", () =>
    Effect.gen(function* () {
      for (const host of [
        "0.0.0.0",
        "::",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "localhost",
        "Risk.example.com",
        "web-1",
        "my_service"
      ])
        expect((yield* listen(host)).host).toBe(host)
      expect((yield* listen("")).host).toBe("127.0.0.1")
    })
  )

  it.effect.each([
    "999.1.1.1",
    "256.256.256.256",
    "1.2.3",
    "127.1",
    "0x7f.1",
    "[::1]",
    ":::1",
    "fe80::1%lo",
    "127.0.0.1:80",
    "http://127.0.0.1",
    "foo bar",
    "a/b",
    "me@host",
    " 127.0.0.1"
  ])("is not %j: it could not be listened on, and would be published as our address", (host) =>
    Effect.map(Effect.flip(listen(host)), (error) =>
      expect(describeConfigError(error)).toEqual([
        "HOST: must be an address or a host name, without scheme, port and brackets, such as 127.0.0.1 or ::1"
      ])
    )
  )
})
