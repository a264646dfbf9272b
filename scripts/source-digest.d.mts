export declare const DIGEST_FILE: string;
export declare const builtData: (source: string) => Promise<string[]>;
export declare const builtModules: (source: string) => Promise<string[]>;
export declare const sourceDigest: (root: string) => Promise<string>;
