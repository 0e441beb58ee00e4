/** Version of the machine-readable description (contract 9), and of everything that names itself by it. */
export const API_VERSION = "0.2.0"
