/** 2021-01-01T00:00:00Z, where the protocol's seconds begin, in Unix milliseconds. */
export const FARCASTER_EPOCH_MS = 1_609_459_200_000;

/** @returns Unix milliseconds of a protocol timestamp (seconds since 2021-01-01T00:00:00Z) */
export const toUnixMs = (protocolSeconds: number): number => FARCASTER_EPOCH_MS + protocolSeconds * 1000;

/** @returns the protocol's whole seconds that have passed at `ms` (Unix milliseconds); negative before 2021 */
export const fromUnixMs = (ms: number): number => Math.floor((ms - FARCASTER_EPOCH_MS) / 1000);

/** @returns a protocol timestamp as ISO-8601 in UTC, `2024-04-01T12:00:00.000Z` */
export const toIso = (protocolSeconds: number): string => new Date(toUnixMs(protocolSeconds)).toISOString();
