/** Receives measurements of a hub reader. `shard` is the number of the shard in the hub. */
export interface HubMeter {
  /** A batch was stored: its number of events, and Unix milliseconds of the newest event's block. */
  readonly stored: (shard: number, events: number, newestAt: number) => void;
  /** The stream ended and is opened again. */
  readonly reconnected: (shard: number, reason: DisconnectReason) => void;
  /** Events are missing in the hub's log, so the accounts of the shard will be synced. */
  readonly gap: (shard: number) => void;
  /** Bytes that are not an event were received. */
  readonly garbage: (shard: number) => void;
  /** An event was received again. */
  readonly repeated: (shard: number) => void;
  /** An event of an unknown type was received. */
  readonly unknownType: (shard: number, type: number) => void;
}

/** `reread`: events seemed to be missing, so the hub's log is read again. */
export type DisconnectReason = 'error' | 'ended' | 'stall' | 'reread';
