/** Paths of the vendor's first version, which its older clients still call. */
const FIRST_VERSION = /^\/v1\/farcaster\//;

/**
 * @param path without the query
 * @returns what the callers of a path that is gone may call instead; undefined for every other path
 */
export const replacementOf = (path: string): string | undefined =>
  FIRST_VERSION.test(path)
    ? `${path} belongs to version 1 of the interface, which is gone. Call /v2/farcaster/ instead; /docs lists its operations.`
    : undefined;

/** The vendor's studio, which builds and hosts mini apps; its client has methods for it. */
const STUDIO = /^\/v2\/studio\//;

/**
 * @param path without the query
 * @returns what to tell the caller of a path at which there is nothing
 */
export const absenceOf = (path: string): string =>
  STUDIO.test(path)
    ? `${path} belongs to the vendor's studio, which builds and hosts mini apps. This service has no studio.`
    : `There is nothing at ${path}. The operations are listed at /docs.`;
