import type { DiscoveryExtension } from "@x402/extensions/bazaar"
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar"

export const isDiscoveryExtension = (value: object): value is DiscoveryExtension & Record<string, unknown> =>
  "info" in value && "schema" in value

/** Both validators of the official package: info against its schema, and the whole against the specification. */
export const validate = (extension: DiscoveryExtension & Record<string, unknown>): ReadonlyArray<string> =>
  [validateDiscoveryExtension(extension), validateDiscoveryExtensionSpec(extension)].flatMap(
    ({ errors, valid }) => (valid ? [] : (errors ?? ["extensions.bazaar is invalid"]))
  )
