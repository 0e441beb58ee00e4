import type { Config } from "effect"
import { ConfigProvider, Effect } from "effect"

/** Reads a configuration from these variables alone. */
export const readConfig =
  <A>(config: Config.Config<A>) =>
  (env: Readonly<Record<string, string>>) =>
    Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(env))))
