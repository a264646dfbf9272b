import { MessageType } from '@farcaster/core';
import { MessageSet } from '../protocol/conflict.js';
import type { MessageRow } from '../store/message.js';
import { type HeldMessage, selectHeldMessages } from '../store/reconcile.js';
import { decodedOf } from './stored-message.js';
import { removeAbsent, removeMessages, type SyncParts } from './hub-absent.js';
import { isUnimplemented } from './hub/client.js';
import { ACCOUNT_LISTINGS, listMessages, readOffchainKeys, readRegistration } from './hub/listing.js';
import { hashKey, type LiveWatch } from './hub-live-mark.js';
import { untilDatabaseAnswers } from './hub/retry.js';
import { readMessageHead } from './wire.js';
import type { IngestItem } from './item.js';

/** Items that are submitted together; more would hold up the stream's batches. */
const CHUNK = 1_000;

export interface SyncOptions {
  /** Whether the event log tells of messages that were missing. */
  readonly announce: boolean;
  /** Whether messages go that the hub does not have; only for a hub that is not behind this store. */
  readonly remove: boolean;
}

/**
 * Brings one account in line with the hub: what the hub has and the store lacks is stored, registration first, and what
 * the store has and the hub does not is removed.
 *
 * This runs beside the live stream, and what the hub lists may be older or newer than what the stream has stored:
 * - what is held is read before the hub is asked, so that a message which arrives meanwhile is never taken for absent;
 * - a message that the stream takes away meanwhile is not stored again, or is removed again at the end;
 * - a message that the stream brings back meanwhile is not removed.
 * @returns the hashes of the account's casts
 * @throws AppError when the hub refuses a call, SubmitStopped when the service stops
 */
export const syncFid = async (parts: SyncParts, fid: number, options: SyncOptions): Promise<Uint8Array[]> => {
  const { db, marks } = parts;
  const watch = marks.watch(fid);
  try {
    const account = new AccountListing(parts, fid, watch, options);
    const held = options.remove ? await untilDatabaseAnswers(() => selectHeldMessages(db, fid, COMPARED), parts) : [];
    await account.store();
    const absent = held.filter((message) => account.lacks(message));
    await removeAbsent(parts, absent, watch, options.announce, (row) => !account.proves(row));
    await removeMessages(parts, watch.takenAway(), options.announce);
    return account.casts;
  } finally {
    watch.end();
  }
};

const COMPARED: readonly number[] = [...ACCOUNT_LISTINGS.map((listing) => listing.set), MessageSet.usernameProof];

/** Everything that the hub lists of one account, stored page by page. */
class AccountListing {
  readonly casts: Uint8Array[] = [];
  /** What was listed, and of which sets all was listed. */
  private readonly listed = new Set<string>();
  private readonly listedSets = new Set<number>();
  private readonly proofs = new Set<string>();

  constructor(
    private readonly parts: SyncParts,
    private readonly fid: number,
    private readonly watch: LiveWatch,
    private readonly options: SyncOptions,
  ) {}

  async store(): Promise<void> {
    const { fid } = this;
    const { client, introductions } = this.parts;
    introductions.vouch(fid, await readOffchainKeys(client, fid, this.parts));
    let open = await readRegistration(client, fid, this.parts);
    for (const item of open) if (item.kind === 'proof') this.proofs.add(proofKey(item.proof));
    for (const { call, set } of ACCOUNT_LISTINGS) {
      try {
        for await (const wires of listMessages(client, call, { fid }, this.parts, this.listed)) {
          for (const wire of wires) open.push(this.take(wire));
          if (open.length < CHUNK) continue;
          await this.submit(open);
          open = [];
        }
        this.listedSets.add(set);
      } catch (error) {
        if (!isUnimplemented(error)) throw error;
      }
    }
    await this.submit(open);
  }

  /** True when the hub did not list this message; of username proofs, which are not listed as messages, always. */
  lacks({ message_set, hash }: HeldMessage): boolean {
    if (message_set === MessageSet.usernameProof) return true;
    return this.listedSets.has(message_set) && !this.listed.has(hashKey(hash));
  }

  /** True when this message carries a proof that the hub has. */
  proves(row: MessageRow): boolean {
    const proof = row.message_set === MessageSet.usernameProof ? decodedOf(row).data.usernameProofBody : undefined;
    return proof !== undefined && this.proofs.has(proofKey(proof));
  }

  private take(wire: Uint8Array): IngestItem {
    if (this.parts.filter) {
      const head = readMessageHead(wire);
      if (head?.type === MessageType.CAST_ADD) this.casts.push(head.hash);
    }
    return { kind: 'message', wire };
  }

  private async submit(items: readonly IngestItem[]): Promise<void> {
    const due = items.filter((item) => item.kind !== 'message' || !this.isTakenAway(item.wire));
    if (due.length === 0) return;
    await this.parts.introductions.submit(due, { source: 'backfill', announce: this.options.announce });
  }

  private isTakenAway(wire: Uint8Array): boolean {
    const head = readMessageHead(wire);
    return head !== undefined && this.watch.hasRemoved(head.hash);
  }
}

const proofKey = ({ name, timestamp }: { readonly name: Uint8Array; readonly timestamp: number }): string =>
  `${timestamp}:${hashKey(name)}`;
