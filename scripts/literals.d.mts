import type { Plugin } from "esbuild"

export const spreadsBehindNull: Plugin
