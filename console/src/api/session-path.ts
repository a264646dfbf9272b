/** Signing in sends a key or the token of a link to it. */
export const SESSION = '/portal/session';

/** @param path with or without a query @returns whether a request is about the session of the console itself */
export const isOfSession = (path: string): boolean => path.split('?', 1)[0] === SESSION;
