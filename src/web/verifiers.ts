/** Verifiers small enough to read before they are trusted. The tests run them; the pages show them. */

/** What a merchant's server needs to believe an event: Node's own library, and the published keys. */
export const WEBHOOK_VERIFIER = `
import { createPublicKey, verify } from "node:crypto"

// headers by lower-case name; body: the text as it came, before any parser; keys: those of /.well-known/jwks.json,
// asked for again before an event is answered as not genuine: an operator may sign with a new one from today on
export const isGenuine = (headers, body, keys) => {
  const [id, time, signatures = ""] = ["id", "timestamp", "signature"].map((name) => headers["webhook-" + name])
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) <= 300
  const said = Buffer.from(id + "." + time + "." + body)
  const signers = keys.filter(({ kty }) => kty === "OKP").map((key) => createPublicKey({ key, format: "jwk" }))
  return isRecent && signatures.split(" ").some((one) =>
    one.startsWith("v1a,") && signers.some((key) => verify(null, said, key, Buffer.from(one.slice(4), "base64"))))
}
`.trim()

/**
 * What a merchant's server needs to deliver for its own orders alone. Whoever creates a checkout chooses its webhook, its
 * memo and whom it pays: a stranger who pays himself, or the merchant a cent, has a genuine event sent anywhere.
 */
export const ORDER_OF_EVENT = `
// orders: yours, a Map from the checkoutId that create answered; all else in an event is of its creator's choosing
export const paidOrder = (body, orders) => {
  const { type, data } = JSON.parse(body)
  return type === "checkout.paid" ? orders.get(data.checkoutId) : undefined
}
`.trim()

/** TypeScript on WebCrypto. Without the annotations it is the JavaScript of our own pages. */
export const TYPESCRIPT_VERIFIER = `
type Keys = { keys: { kid: string; kty: string; k: string; x: string }[] }
type Report = { attestation: { keyId: string; hmacKeyId: string; digest: string; hmac: string; signature: string } }
const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
const hex = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("")
// RFC 8785: members sorted by UTF-16 code units, no spaces. JSON.stringify writes strings and numbers as it wants them.
const canonical = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]"
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return "{" + members.map(([name, one]) => JSON.stringify(name) + ":" + canonical(one)).join(",") + "}"
}
export const verify = async (report: Report, { keys }: Keys) => {
  const { attestation, ...body } = report
  const signer = keys.find(({ kid, kty }) => kid === attestation.keyId && kty === "OKP")
  const sealer = keys.find(({ kid, kty }) => kid === attestation.hmacKeyId && kty === "oct")
  if (!signer || !sealer) return false
  const bytes = new TextEncoder().encode(canonical(body))
  const digest = await crypto.subtle.digest("SHA-256", bytes)
  const hmac = await crypto.subtle.importKey("raw", bytesOf(sealer.k), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const ed25519 = await crypto.subtle.importKey("raw", bytesOf(signer.x), "Ed25519", false, ["verify"])
  return hex(digest) === attestation.digest
    && hex(await crypto.subtle.sign("HMAC", hmac, digest)) === attestation.hmac
    && await crypto.subtle.verify("Ed25519", ed25519, bytesOf(attestation.signature), bytes)
}
`.trim()

/** The same in the words of a browser: no types, no module. */
export const JAVASCRIPT_VERIFIER = TYPESCRIPT_VERIFIER.replaceAll(/^type .*\n/gm, "")
  .replaceAll(/: (?:string|unknown|ArrayBuffer|Report|Keys)\b/g, "")
  .replace("export const", "const")

/** Python 3.8 with its standard library only. Reads the report's text, because numbers must stay as they were written. */
export const PYTHON_VERIFIER = String.raw`
import base64, hashlib, hmac, json, sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

class Number(str): pass  # a number keeps the text it came with

def bytes_of(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

def canonical(v):  # RFC 8785: members sorted by UTF-16 code units, no spaces
    if isinstance(v, Number): return str(v)
    if isinstance(v, dict):
        keys = sorted(v, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(canonical(k) + ":" + canonical(v[k]) for k in keys) + "}"
    if isinstance(v, list): return "[" + ",".join(map(canonical, v)) + "]"
    return json.dumps(v, ensure_ascii=False)

def add(p, q):  # Ed25519, RFC 8032
    (a, b), (c, d) = p, q
    t = D * a * b * c * d
    return ((a * d + b * c) * pow(1 + t, -1, P) % P, (b * d + a * c) * pow(1 - t, -1, P) % P)

def times(n, p):
    r = (0, 1)
    while n: r, p, n = (add(r, p) if n & 1 else r), add(p, p), n >> 1
    return r

def point(b):
    n = int.from_bytes(b, "little"); y, odd = n & (2**255 - 1), n >> 255
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - xx) % P: raise ValueError("no point")
    return (P - x if x & 1 != odd else x, y)

def signed(key, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    return s < L and times(s, point(bytes([88] + [102] * 31))) == add(point(r), times(h, point(key)))

def verify(text, jwks):
    report = json.loads(text, parse_float=Number, parse_int=Number)
    a = report.pop("attestation")
    keys = {(k["kid"], k["kty"]): k for k in jwks["keys"]}
    body = canonical(report).encode("utf-8")
    digest = hashlib.sha256(body).digest()
    tag = hmac.new(bytes_of(keys[a["hmacKeyId"], "oct"]["k"]), digest, hashlib.sha256).hexdigest()
    return (digest.hex() == a["digest"] and hmac.compare_digest(tag, a["hmac"])
            and signed(bytes_of(keys[a["keyId"], "OKP"]["x"]), body, bytes_of(a["signature"])))

if __name__ == "__main__":
    report, jwks = (open(name, encoding="utf-8").read() for name in sys.argv[1:3])
    print("verified" if verify(report, json.loads(jwks)) else "NOT VERIFIED")
`.trim()
