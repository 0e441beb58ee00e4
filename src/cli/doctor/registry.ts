import type { AuditWarning } from "@agentcash/discovery"
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  getOpenAPI,
  getWarningsFor402Body,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure
} from "@agentcash/discovery"
import { ALL_OPERATIONS } from "../../domain/catalog.ts"

/** What the validator of x402scan says about an origin, and how it classifies the two paid addresses. */
export interface RegistryAudit {
  readonly warnings: ReadonlyArray<Pick<AuditWarning, "code" | "severity" | "message">>
  /** Addresses it would not list as paid, with what it took them for. */
  readonly misread: ReadonlyArray<string>
}

const auditEndpoint = async (origin: string, path: string) => {
  const checked = await checkEndpointSchema({ url: origin + path, probe: true })
  if (!checked.found) return { warnings: [], misread: [`${path} was not found`] }
  const declared = checked.advisories.filter(({ method }) => method === "GET" || method === "POST")
  return {
    warnings: declared.flatMap((advisory) => [
      ...getWarningsForL3(advisory),
      ...getWarningsFor402Body(advisory.paymentRequiredBody)
    ]),
    misread: declared
      .filter(({ authMode, paymentOptions }) => authMode !== "paid" || paymentOptions?.length === 0)
      .map(({ authMode, method }) => `${method} ${path} reads as ${authMode ?? "nothing"}`)
  }
}

/** Runs what x402scan runs before it lists a service: the description, each paid address, the guidance, the icon. */
export const auditRegistry = async (origin: string): Promise<RegistryAudit> => {
  const source = await getOpenAPI(origin)
  const spec = source.isOk() ? source.value : null
  const described = [...getWarningsForOpenAPI(spec)]
  if (spec !== null && !isOpenApiParseFailure(spec)) {
    described.push(...getWarningsForL2(checkL2ForOpenAPI(spec)), ...getWarningsForL4(checkL4ForOpenAPI(spec)))
  }
  const favicon = await getWarningsForFavicon(origin)
  const endpoints = await Promise.all(ALL_OPERATIONS.map(({ path }) => auditEndpoint(origin, path)))
  return {
    warnings: [
      ...described,
      ...(favicon.isOk() ? favicon.value : []),
      ...endpoints.flatMap(({ warnings }) => warnings)
    ],
    misread: endpoints.flatMap(({ misread }) => misread)
  }
}
