/** Hex digits of the time before those of the hash. */
const TIME_DIGITS = 8;

/** @param oldest as `selectStoreUse` returns it; undefined for an empty store, of which hubs say 0 and no hash */
export const readOldest = (oldest = ''): { readonly earliestTimestamp: number; readonly earliestHash: Uint8Array } => ({
  earliestTimestamp: Number.parseInt(oldest.slice(0, TIME_DIGITS) || '0', 16),
  earliestHash: Buffer.from(oldest.slice(TIME_DIGITS), 'hex'),
});
