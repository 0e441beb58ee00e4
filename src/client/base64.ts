/** Base64 of UTF-8 text, with what browsers, edge runtimes, Deno, Bun and Node all have. */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

export const textToBase64 = (text: string): string => toBase64(new TextEncoder().encode(text))

/** The bytes of base64 text; `undefined` for any other text. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The value of base64 JSON; `undefined` for any other text. */
export const jsonFromBase64 = (text: string): unknown => {
  const bytes = fromBase64(text)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** Bytes of base64url text in its one spelling; other spellings of the same bytes are refused. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"))
  return bytes !== undefined && toBase64Url(bytes) === text ? bytes : undefined
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
