/** What one check found: `warn` works but will cost someone something, `fail` does not work. */
export interface CheckResult {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly detail: string
}

export const ok = (name: string, detail: string): CheckResult => ({ name, state: "ok", detail })
export const warn = (name: string, detail: string): CheckResult => ({ name, state: "warn", detail })
export const fail = (name: string, detail: string): CheckResult => ({ name, state: "fail", detail })

/** `ok` where there is no problem, else `fail` with all of them. */
export const checkResult = (name: string, problems: ReadonlyArray<string>, fine: string): CheckResult =>
  problems.length === 0 ? ok(name, fine) : fail(name, problems.join("; "))
