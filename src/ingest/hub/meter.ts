/** What a hub's reader tells of itself, for the metrics. `shard` is the hub's number of the shard. */
export interface HubMeter {
  /** A batch of events is stored: how many, and seconds from the newest one's block to now. */
  readonly stored: (shard: number, events: number, lagSeconds: number) => void;
  /** The stream broke and is opened again. */
  readonly reconnected: (shard: number, reason: DisconnectReason) => void;
  /** Events are gone from the hub's log; the accounts of the shard will be compared. */
  readonly gap: (shard: number) => void;
  /** Bytes that are no event. */
  readonly garbage: (shard: number) => void;
  /** An event that was seen before. */
  readonly repeated: (shard: number) => void;
  /** An event of a type that this version does not know. */
  readonly unknownType: (shard: number, type: number) => void;
}

/** `reread`: events seemed to be missing, so the hub's log is read again. */
export type DisconnectReason = 'error' | 'ended' | 'stall' | 'reread';
