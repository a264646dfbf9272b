/** The variables of a process, as they stand. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @returns the environment of this process; nothing else in the project reads it. */
export const readEnvironment = (): Environment => ({ ...process.env });
