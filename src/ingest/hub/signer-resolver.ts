import { MessageType, SignatureScheme } from '@farcaster/core';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import { selectSignerKeys } from '../../store/protocol/signer-key.js';
import type { FidFilter } from '../fid-filter.js';
import type { SubmitOptions } from '../ingest-outcome.js';
import type { IngestItem } from '../item.js';
import type { Ingest } from '../pipeline/pipeline.js';
import { type MessageHead, readMessageHead } from '../wire.js';
import type { HubClient } from './client.js';
import { listMessages, PROFILE_LISTINGS, readOffchainKeys, readRegistration } from './listing.js';
import { hashKey } from './live-event-log.js';
import { inParallel, type RetryContext, retryDatabaseCall } from './retry.js';
import { submitWithRetry } from './submit-retry.js';

/** Accounts that are loaded in parallel. */
const CONCURRENCY = 8;
/** Number of pairs of account and key that are remembered as stored. */
const KNOWN_LIMIT = 200_000;
/** Milliseconds until an account is loaded again if a key remained unknown. */
const RETRY_LOOKUP_AFTER_MS = 600_000;

/** Dependencies of everything that reads from a hub. */
export interface HubDependencies extends RetryContext {
  readonly client: HubClient;
  readonly db: Database;
  readonly ingest: Ingest;
  /** Partial mode; undefined: everything is indexed. */
  readonly filter?: FidFilter;
}

/**
 * For what a hub lists: it keeps the messages of a key that a message registered and another one removed, but no call
 * names such a key any more. That trusts the hub no further than before: it can name any key as registered by a message.
 */
export const LISTED = { source: 'backfill', trustSigners: true } as const;

type Signed = Pick<MessageHead, 'fid' | 'type' | 'signer' | 'signatureScheme'>;

/** These are authorized by a signature in the body, of the custody address or of the key itself. */
const SELF_AUTHORIZED_TYPES: ReadonlySet<number> = new Set([MessageType.KEY_ADD, MessageType.KEY_REMOVE]);

const pairOf = (fid: number, key: Uint8Array): string => `${fid}:${hashKey(key)}`;

/**
 * Loads unknown signers before their messages are stored. If no stored event registers a signer's key, its account is
 * loaded from the hub, registration and profile first. Partial mode thus shows the names of referenced accounts, and a
 * stream that starts before the backfill loses no message.
 */
export class SignerResolver {
  readonly #deps: HubDependencies;
  readonly #known = new LRUCache<string, true>({ max: KNOWN_LIMIT });
  readonly #requested = new LRUCache<number, true>({ max: KNOWN_LIMIT, ttl: RETRY_LOOKUP_AFTER_MS });
  /** Accounts that the hub failed to return. */
  readonly #unresolvedFids = new LRUCache<number, true>({ max: KNOWN_LIMIT, ttl: RETRY_LOOKUP_AFTER_MS });
  readonly #inFlight = new Map<number, Promise<void>>();
  /** Keys by account that the hub lists, but whose registration no call returns. */
  readonly #trustedKeys = new LRUCache<number, ReadonlySet<string>>({ max: KNOWN_LIMIT });

  constructor(deps: HubDependencies) {
    this.#deps = deps;
  }

  /**
   * Loads the accounts of messages with an unknown key. An account that the hub does not have is skipped; its messages
   * are rejected later for their signer.
   * @param registered keys that are registered by the items of the same submission
   * @throws an error of hub, database or submission if the service stops
   */
  async ensureKnown(
    messages: readonly Signed[],
    registered: readonly { fid: number; key: Uint8Array }[] = [],
  ): Promise<void> {
    for (const { fid, key } of registered) this.#known.set(pairOf(fid, key), true);
    const unknown = new Map<string, { fid: number; key: Uint8Array }>();
    for (const { fid, type, signer, signatureScheme } of messages) {
      const pair = pairOf(fid, signer);
      if (SELF_AUTHORIZED_TYPES.has(type) || signatureScheme !== SignatureScheme.ED25519) continue;
      if (!this.#known.has(pair) && !this.#requested.has(fid)) unknown.set(pair, { fid, key: signer });
    }
    const stored = () => selectSignerKeys(this.#deps.db, [...unknown.values()]);
    for (const { fid, key } of await retryDatabaseCall(stored, this.#deps)) {
      this.#known.set(pairOf(fid, key), true);
      unknown.delete(pairOf(fid, key));
    }
    const fids = new Set([...unknown.values()].map(({ fid }) => fid));
    await inParallel(fids, CONCURRENCY, (fid) => this.#resolveAccount(fid));
  }

  /**
   * Stores items in order, and waits while the database is unavailable. Keys that the hub lists are trusted, whatever
   * the options say.
   * @throws SubmitStopped if the service stops
   */
  async submit(items: readonly IngestItem[], options: SubmitOptions): Promise<void> {
    const { position, ...early } = options;
    const isUnresolved = (fid: number): boolean => this.#unresolvedFids.has(fid);
    const runs = this.#splitByTrust(items, options.trustSigners);
    for (const [index, run] of runs.entries()) {
      const chosen = index === runs.length - 1 ? options : early;
      const submission = { ...chosen, trustSigners: run.isKeyTrusted, isUnresolved };
      await submitWithRetry(this.#deps.ingest, run.items, submission, this.#deps);
    }
    if (runs.length === 0 && position) await submitWithRetry(this.#deps.ingest, [], options, this.#deps);
  }

  /** Records keys of an account that the hub lists. */
  trustKeys(fid: number, keys: readonly Uint8Array[]): void {
    if (keys.length === 0) this.#trustedKeys.delete(fid);
    else this.#trustedKeys.set(fid, new Set(keys.map(hashKey)));
  }

  /** Call when an account revoked a key: its keys are then fetched from the hub again. */
  forget(fid: number): void {
    this.#trustedKeys.delete(fid);
    this.#requested.delete(fid);
  }

  #splitByTrust(items: readonly IngestItem[], isTrusted = false): { items: IngestItem[]; isKeyTrusted: boolean }[] {
    const runs: { items: IngestItem[]; isKeyTrusted: boolean }[] = [];
    for (const item of items) {
      const isKeyTrusted = isTrusted || this.#isKeyTrusted(item);
      const last = runs.at(-1);
      if (last?.isKeyTrusted === isKeyTrusted) last.items.push(item);
      else runs.push({ items: [item], isKeyTrusted });
    }
    return runs;
  }

  #isKeyTrusted(item: IngestItem): boolean {
    if (item.kind !== 'message' || this.#trustedKeys.size === 0) return false;
    const head = readMessageHead(item.wire);
    return head !== undefined && (this.#trustedKeys.get(head.fid)?.has(hashKey(head.signer)) ?? false);
  }

  /** Loads an account once, also for concurrent callers. */
  #resolveAccount(fid: number): Promise<void> {
    const running = this.#inFlight.get(fid) ?? this.#lookUp(fid).finally(() => this.#inFlight.delete(fid));
    this.#inFlight.set(fid, running);
    return running;
  }

  async #lookUp(fid: number): Promise<void> {
    const { client, filter, log } = this.#deps;
    try {
      const [items, keys] = await Promise.all([
        readRegistration(client, fid, this.#deps),
        readOffchainKeys(client, fid, this.#deps),
      ]);
      this.trustKeys(fid, keys);
      filter?.admit(fid);
      for (const { call } of PROFILE_LISTINGS)
        for await (const wires of listMessages(client, call, { fid }, this.#deps)) items.push(...asItems(wires));
      await this.submit(items, { ...LISTED, announce: false });
      this.#requested.set(fid, true);
      this.#unresolvedFids.delete(fid);
    } catch (error) {
      if (this.#deps.signal.aborted) throw error;
      this.#requested.set(fid, true);
      this.#unresolvedFids.set(fid, true);
      log.warn({ err: error, fid }, 'the hub did not return an account of which it has messages');
    }
  }
}

export const asItems = (wires: readonly Uint8Array[]): IngestItem[] => wires.map((wire) => ({ kind: 'message', wire }));
