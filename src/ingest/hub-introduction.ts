import { MessageType, SignatureScheme } from '@farcaster/core';
import { LRUCache } from 'lru-cache';
import type { Database } from '../store/database.js';
import { selectSignerKeys } from '../store/signer-key.js';
import type { FidFilter } from './fid-filter.js';
import type { HubClient } from './hub/client.js';
import { listMessages, PROFILE_LISTINGS, readOffchainKeys, readRegistration } from './hub/listing.js';
import { hashKey } from './hub-live-mark.js';
import { inParallel, type Patience, untilDatabaseAnswers } from './hub/retry.js';
import { type MessageHead, readMessageHead } from './wire.js';
import type { IngestItem } from './item.js';
import type { SubmitOptions } from './ingest-outcome.js';
import type { Ingest } from './pipeline.js';
import { submitWithRetry } from './hub/submit-retry.js';

/** Accounts that are asked for at once. */
const CONCURRENCY = 8;
/** Pairs of account and key that are remembered as stored. */
const KNOWN_LIMIT = 200_000;
/** Milliseconds for which an account is not asked for again although a key of its stayed unknown. */
const ASK_AGAIN_AFTER = 600_000;

/** What everything that reads from one hub works with. */
export interface HubParts extends Patience {
  readonly client: HubClient;
  readonly db: Database;
  readonly ingest: Ingest;
  /** Partial mode; absent: everything is indexed. */
  readonly filter?: FidFilter;
}

type Signed = Pick<MessageHead, 'fid' | 'type' | 'signer' | 'signatureScheme'>;

/** These carry their authority inside: the custody address, or the key itself, signed the body. */
const SELF_SUFFICIENT: ReadonlySet<number> = new Set([MessageType.KEY_ADD, MessageType.KEY_REMOVE]);

const pairOf = (fid: number, key: Uint8Array): string => `${fid}:${hashKey(key)}`;

/**
 * Makes accounts known before what they say is stored: whoever signed with a key that no stored event registers is
 * looked up at the hub, registration and profile first. So strangers get a name in partial mode, and a stream that is
 * read before its accounts were loaded loses nothing.
 */
export class Introductions {
  private readonly known = new LRUCache<string, true>({ max: KNOWN_LIMIT });
  private readonly asked = new LRUCache<number, true>({ max: KNOWN_LIMIT, ttl: ASK_AGAIN_AFTER });
  /** Of the accounts that were asked for, those that the hub failed to tell of. */
  private readonly untold = new LRUCache<number, true>({ max: KNOWN_LIMIT, ttl: ASK_AGAIN_AFTER });
  private readonly underway = new Map<number, Promise<void>>();
  /** Keys that the hub vouches for, by account: registered by messages that no call gives. */
  private readonly vouched = new LRUCache<number, ReadonlySet<string>>({ max: KNOWN_LIMIT });

  constructor(private readonly parts: HubParts) {}

  /**
   * Looks up the accounts of these messages whose key is not known. An account that the hub has nothing of is passed
   * over; its messages are refused for their signer later.
   * @param registered keys that are registered by the very items the messages come with
   * @throws a failure of hub, database or submit when the service stops first
   */
  async meet(messages: readonly Signed[], registered: readonly { fid: number; key: Uint8Array }[] = []): Promise<void> {
    for (const { fid, key } of registered) this.known.set(pairOf(fid, key), true);
    const unknown = new Map<string, { fid: number; key: Uint8Array }>();
    for (const { fid, type, signer, signatureScheme } of messages) {
      const pair = pairOf(fid, signer);
      if (SELF_SUFFICIENT.has(type) || signatureScheme !== SignatureScheme.ED25519) continue;
      if (!this.known.has(pair) && !this.asked.has(fid)) unknown.set(pair, { fid, key: signer });
    }
    const stored = () => selectSignerKeys(this.parts.db, [...unknown.values()]);
    for (const { fid, key } of await untilDatabaseAnswers(stored, this.parts)) {
      this.known.set(pairOf(fid, key), true);
      unknown.delete(pairOf(fid, key));
    }
    const fids = new Set([...unknown.values()].map(({ fid }) => fid));
    await inParallel(fids, CONCURRENCY, (fid) => this.introduce(fid));
  }

  /**
   * Stores items in their order, whatever happens to the database meanwhile; what a vouched key signed is taken on the
   * hub's word for the key.
   * @throws SubmitStopped when the service stops first.
   */
  async submit(items: readonly IngestItem[], options: SubmitOptions): Promise<void> {
    const { position, ...early } = options;
    const isUntold = (fid: number): boolean => this.untold.has(fid);
    const runs = this.runsOfTrust(items);
    for (const [index, run] of runs.entries()) {
      const chosen = index === runs.length - 1 ? options : early;
      const told = { ...chosen, trustSigners: run.isVouched, isUntold };
      await submitWithRetry(this.parts.ingest, run.items, told, this.parts);
    }
    if (runs.length === 0 && position) await submitWithRetry(this.parts.ingest, [], options, this.parts);
  }

  /** Notes which keys of an account the hub vouches for. */
  vouch(fid: number, keys: readonly Uint8Array[]): void {
    if (keys.length === 0) this.vouched.delete(fid);
    else this.vouched.set(fid, new Set(keys.map(hashKey)));
  }

  /** An account took a key back: the hub must be asked anew. */
  forget(fid: number): void {
    this.vouched.delete(fid);
    this.asked.delete(fid);
  }

  private runsOfTrust(items: readonly IngestItem[]): { items: IngestItem[]; isVouched: boolean }[] {
    const runs: { items: IngestItem[]; isVouched: boolean }[] = [];
    for (const item of items) {
      const isVouched = this.isVouched(item);
      const last = runs.at(-1);
      if (last?.isVouched === isVouched) last.items.push(item);
      else runs.push({ items: [item], isVouched });
    }
    return runs;
  }

  private isVouched(item: IngestItem): boolean {
    if (item.kind !== 'message' || this.vouched.size === 0) return false;
    const head = readMessageHead(item.wire);
    return head !== undefined && (this.vouched.get(head.fid)?.has(hashKey(head.signer)) ?? false);
  }

  /** One look-up at a time for an account, however many ask. */
  private introduce(fid: number): Promise<void> {
    const running = this.underway.get(fid) ?? this.lookUp(fid).finally(() => this.underway.delete(fid));
    this.underway.set(fid, running);
    return running;
  }

  private async lookUp(fid: number): Promise<void> {
    const { client, filter, log } = this.parts;
    try {
      const [items, keys] = await Promise.all([
        readRegistration(client, fid, this.parts),
        readOffchainKeys(client, fid, this.parts),
      ]);
      this.vouch(fid, keys);
      filter?.admit(fid);
      for (const { call } of PROFILE_LISTINGS)
        for await (const wires of listMessages(client, call, { fid }, this.parts)) items.push(...asItems(wires));
      await this.submit(items, { source: 'backfill', announce: false });
      this.asked.set(fid, true);
      this.untold.delete(fid);
    } catch (error) {
      if (this.parts.signal.aborted) throw error;
      this.asked.set(fid, true);
      this.untold.set(fid, true);
      log.warn({ err: error, fid }, 'the hub does not tell of an account that it has messages of');
    }
  }
}

/** @returns messages as items, in their order. */
export const asItems = (wires: readonly Uint8Array[]): IngestItem[] => wires.map((wire) => ({ kind: 'message', wire }));
