/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @returns the environment of this process; no other module reads `process.env`. */
export const readEnvironment = (): Environment => ({ ...process.env });
