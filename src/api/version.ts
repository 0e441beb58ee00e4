/** Version of the machine-readable description, and of everything that names itself by it. */
export const API_VERSION = "0.2.0"
