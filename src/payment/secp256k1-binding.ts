import { createRequire } from "node:module"

/**
 * A function of secp256k1's native binding; `undefined` where the machine has none. The package's own fallback is a slow
 * and less trusted library, so the binding itself is named, and who needs it falls back to viem.
 */
export const nativeSecp256k1 = (
  name: "ecdsaRecover" | "ecdsaSign" | "publicKeyCreate"
): ((...args: ReadonlyArray<unknown>) => unknown) | undefined => {
  try {
    const binding: unknown = createRequire(import.meta.url)("secp256k1/bindings.js")
    const found: unknown = typeof binding === "object" && binding !== null && Reflect.get(binding, name)
    return typeof found === "function" ? (...args) => Reflect.apply(found, binding, args) : undefined
  } catch {
    return undefined
  }
}
