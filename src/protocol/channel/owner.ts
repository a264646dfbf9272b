/** An account's verification of the address that owns a channel. */
export interface OwnerClaim {
  readonly fid: number;
  /** Protocol seconds of the verification. */
  readonly ts: number;
  /** Its 20-byte hash. */
  readonly hash: Uint8Array;
}

const isStronger = (a: OwnerClaim, b: OwnerClaim): boolean => {
  if (a.ts !== b.ts) return a.ts > b.ts;
  const order = Buffer.compare(a.hash, b.hash);
  return order === 0 ? a.fid < b.fid : order > 0;
};

/**
 * @returns the fid whose verification has the greatest timestamp and hash, of equal ones the lower fid; undefined
 *   without any. Whether the channel's registration has expired does not matter.
 */
export const winningOwner = (claims: Iterable<OwnerClaim>): number | undefined => {
  let winner: OwnerClaim | undefined;
  for (const claim of claims) if (winner === undefined || isStronger(claim, winner)) winner = claim;
  return winner?.fid;
};
