export declare const root: string
export declare const fingerprint: () => string
export declare const bundle: (outdir: string, options?: { readonly maps: boolean }) => Promise<void>
export declare const bundleScript: (entry: string, outdir: string) => Promise<string>
