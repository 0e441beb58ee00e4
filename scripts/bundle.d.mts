export declare const root: string
export declare const fingerprint: () => string
export declare const bundle: (outdir: string) => Promise<void>
