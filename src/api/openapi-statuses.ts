/** Statuses a whole group can answer with, but this operation cannot. */
const NEVER: Readonly<Record<string, ReadonlySet<string>>> = {
  check_token_safety_ping: new Set(["409", "410"]),
  check_token_risk_deep: new Set(["409", "410"]),
  create_checkout: new Set(["402", "404", "410"]),
  get_checkout: new Set(["402", "409", "410"]),
  simulate_checkout: new Set(["402", "404", "409", "410"])
}

/** Only a request that has a body can have a wrong, large or slow one. */
const OF_BODIES: ReadonlySet<string> = new Set(["408", "413", "415"])

/**
 * Whether an operation can answer with a status. Groups share their errors, so that handlers have one type; the
 * description says what each operation really does. 405 belongs to paths: a method that is described is allowed.
 */
export const statusesOf = (operationId: string, method: string): ((status: string) => boolean) => {
  const never = NEVER[operationId.replace(/_get$/, "")] ?? new Set()
  return (status) =>
    status !== "405" &&
    !never.has(status) &&
    (method === "post" || method === "patch" || !OF_BODIES.has(status))
}
