const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Bytes of canonical base64: standard alphabet, padded, no spaces, no stray bits, so that one value has one spelling.
 * Node's own decoder accepts many spellings. `undefined` for every other text.
 */
export const decodeBase64 = (text: string): Uint8Array | undefined => {
  if (text.length === 0 || text.length % 4 !== 0) return undefined
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? bytes : undefined
}

/** The text of valid UTF-8; `undefined` otherwise. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
