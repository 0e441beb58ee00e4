/** Pictures of a page on desktop and phone, light and dark, in `SCREENSHOTS` or a temporary folder. */
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserPage, View } from "./devtools.ts"

const SHOTS = process.env["SCREENSHOTS"] ?? join(tmpdir(), "token-risk-screenshots")
export const DESKTOP = { width: 1280, height: 900, mobile: false, scheme: "light" } as const
export const PHONE = { width: 390, height: 844, mobile: true, scheme: "dark" } as const
const VIEWS: ReadonlyArray<readonly [string, View]> = [
  ["desktop-light", DESKTOP],
  ["desktop-dark", { ...DESKTOP, scheme: "dark" }],
  ["phone-light", { ...PHONE, scheme: "light" }],
  ["phone-dark", PHONE]
]

export const shoot = async (page: BrowserPage, name: string) => {
  mkdirSync(SHOTS, { recursive: true })
  for (const [label, view] of VIEWS) {
    await page.view(view)
    await page.screenshot(join(SHOTS, `${name}-${label}.png`))
  }
  await page.view(DESKTOP)
}
