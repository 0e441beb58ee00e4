/** Version of the OpenAPI document, of the manifest, and of the build in the metrics. */
export const API_VERSION = "0.2.0"
