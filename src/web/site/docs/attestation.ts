import type { Markup } from "../../page.ts"
import { html } from "../../page.ts"
import { code, pre, section } from "../layout.ts"
import { PYTHON_VERIFIER, TYPESCRIPT_VERIFIER } from "../../verifiers.ts"

/** `/docs/attestation`: the recipe, a test vector, two verifiers. */
export const attestation = (): Markup =>
  html`<section class="card">
      <h1>Verify it yourself</h1>
      <ol>
        <li>
          Take ${code("attestation")} out of the report and write the rest as RFC 8785 canonical JSON, in
          UTF-8: the bytes.
        </li>
        <li>${code("digest")} is SHA-256 of the bytes, in hex.</li>
        <li>
          ${code("hmac")} is HMAC-SHA256 over the digest’s 32 raw bytes (not its hex text), in hex. Its key is
          published, so it shows integrity, not origin.
        </li>
        <li>
          ${code("signature")} is Ed25519 over the bytes of step 1 (not over the digest), in base64url without
          padding. It shows origin.
        </li>
      </ol>
      <p>
        Keys: <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>, found by ${code("keyId")} (OKP) and
        ${code("hmacKeyId")} (oct); ids are RFC 7638 thumbprints. Retired keys stay. Keep a report as the text
        it came in; in what ${code("deep --json")} of the command line prints it is ${code("result")}.
      </p>
      <p>
        Test vector with keys, canonical bytes, digest, HMAC and signature:
        <a href="/docs/test-vector.json">/docs/test-vector.json</a>. Or use
        ${code("npx token-risk verify report.json")}. The verifier in Python, saved as ${code("verify.py")},
        is run by ${code("python3 verify.py report.json jwks.json")}.
      </p>
    </section>
    ${section("TypeScript, WebCrypto", pre(TYPESCRIPT_VERIFIER))}
    ${section("Python, standard library only", pre(PYTHON_VERIFIER))}`
