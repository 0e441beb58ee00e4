/** Paths for whoever operates the service. Never refused: a service that is busy must still say that it lives. */
export const HEALTH = { live: "/healthz", ready: "/readyz", metrics: "/metrics" } as const
