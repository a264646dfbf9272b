/** Who changed something, for the log of changes; absent: an operator's command. */
export interface Actor {
  readonly keyId: string;
  /** `x-request-id` of the response. */
  readonly requestId: string;
}

/** @returns the columns of an entry in the log of changes */
export const actorColumns = (actor: Actor | undefined) => ({
  keyId: actor?.keyId ?? null,
  requestId: actor?.requestId ?? null,
});
