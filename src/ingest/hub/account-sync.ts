import { MessageType, type UserNameProof, UserNameType } from '@farcaster/core';
import { MessageSet } from '../../protocol/conflict.js';
import type { MessageRow } from '../../store/protocol/message.js';
import { type StoredMessageKey, selectStoredMessageKeys } from '../../store/protocol/stored-message-key.js';
import { selectRegistryProofs, type UsernameProofRow } from '../../store/protocol/username-proof.js';
import type { IngestItem } from '../item.js';
import { decodedOf } from '../stored-message.js';
import { readMessageHead } from '../wire.js';
import { isUnimplemented } from './client.js';
import type { HubHeight } from './hub-height.js';
import { ACCOUNT_LISTINGS, listMessages, readOffchainKeys, readRegistration } from './listing.js';
import { hashKey, type LiveEventWatch } from './live-event-log.js';
import { removeMessages, removeMissingFromHub, type SyncDependencies } from './removed-message.js';
import { retryDatabaseCall, retryHubCall } from './retry.js';
import { LISTED } from './signer-resolver.js';

/** Items of one submission; more would delay the batches of the stream. */
const CHUNK = 1_000;

export interface SyncOptions {
  /** Whether missing messages that are stored get an event in the event log. */
  readonly announce: boolean;
  /** Messages that the hub lacks are removed only if it is not behind this store. */
  readonly height: HubHeight;
}

/**
 * Syncs one account with the hub: stores what the store lacks, registration first, and removes what the hub lacks.
 * The live stream runs at the same time, so a listing of the hub may be older or newer than the store:
 * - stored messages are read before the hub's, so that a message that arrives in between is never taken for missing;
 * - a message that the stream removes in between is not stored again, or is removed at the end;
 * - a message that the stream stores in between is not removed.
 * @returns the hashes of the account's casts
 * @throws AppError if the hub rejects a call, SubmitStopped if the service stops
 */
export const syncFid = async (deps: SyncDependencies, fid: number, options: SyncOptions): Promise<Uint8Array[]> => {
  const { db, marks } = deps;
  const watch = marks.watch(fid);
  try {
    const account = new AccountListing(deps, fid, watch, options);
    const compared = await retryDatabaseCall(() => selectStoredMessageKeys(db, fid, COMPARED), deps);
    const names = await retryDatabaseCall(() => selectRegistryProofs(db, fid), deps);
    const reach = compared.length + names.length > 0 ? await options.height.coversStore() : undefined;
    await account.store();
    if (reach) {
      await account.removeNames(names);
      const absent = compared.filter((message) => account.lacks(message));
      await removeMissingFromHub(deps, absent, watch, { ...options, reach }, (row) => !account.proves(row));
    }
    await removeMessages(deps, watch.removedMessages(), options.announce);
    return account.casts;
  } finally {
    watch.end();
  }
};

const COMPARED: readonly number[] = [...ACCOUNT_LISTINGS.map((listing) => listing.set), MessageSet.usernameProof];

/** All messages that the hub lists for one account, stored page by page. */
class AccountListing {
  readonly #deps: SyncDependencies;
  readonly #fid: number;
  readonly #watch: LiveEventWatch;
  readonly #options: SyncOptions;
  readonly casts: Uint8Array[] = [];
  /** Hashes of the listed messages, and the sets that were listed completely. */
  readonly #listed = new Set<string>();
  readonly #listedSets = new Set<number>();
  readonly #proofs = new Set<string>();

  constructor(deps: SyncDependencies, fid: number, watch: LiveEventWatch, options: SyncOptions) {
    this.#deps = deps;
    this.#fid = fid;
    this.#watch = watch;
    this.#options = options;
  }

  async store(): Promise<void> {
    const fid = this.#fid;
    const { client, signerResolver } = this.#deps;
    signerResolver.trustKeys(fid, await readOffchainKeys(client, fid, this.#deps));
    let open = await readRegistration(client, fid, this.#deps);
    for (const item of open) if (item.kind === 'proof') this.#proofs.add(proofKey(item.proof));
    for (const { call, set } of ACCOUNT_LISTINGS) {
      try {
        for await (const wires of listMessages(client, call, { fid }, this.#deps, this.#listed)) {
          for (const wire of wires) open.push(this.#take(wire));
          if (open.length < CHUNK) continue;
          await this.#submit(open);
          open = [];
        }
        this.#listedSets.add(set);
      } catch (error) {
        if (!isUnimplemented(error)) throw error;
      }
    }
    await this.#submit(open);
  }

  /** True if the hub did not list this message; always true for username proofs, which are not listed as messages. */
  lacks({ messageSet, hash }: StoredMessageKey): boolean {
    if (messageSet === MessageSet.usernameProof) return true;
    return this.#listedSets.has(messageSet) && !this.#listed.has(hashKey(hash));
  }

  /** True if this message contains a proof that the hub has. */
  proves(row: MessageRow): boolean {
    const proof = row.messageSet === MessageSet.usernameProof ? decodedOf(row).data.usernameProofBody : undefined;
    return proof !== undefined && this.#proofs.has(proofKey(proof));
  }

  /** Removes proofs that came without a message and that the hub does not have: their names moved, or were released. */
  async removeNames(stored: readonly Omit<UsernameProofRow, 'messageHash'>[]): Promise<void> {
    const proofs = stored.map((row) => ({ ...row, name: Buffer.from(row.name) }));
    const missing = proofs.filter((proof) => !this.#proofs.has(proofKey(proof)));
    const gone: UserNameProof[] = [];
    for (const proof of missing) if (!(await this.#isListedElsewhere(proof))) gone.push(proof);
    await this.#submit(gone.map((proof): IngestItem => ({ kind: 'proof', proof, isRemoval: true })));
  }

  /** A hub lists a proof for the account that sent it, which may be another one; the name registry sends for the owner. */
  async #isListedElsewhere(proof: UserNameProof): Promise<boolean> {
    if (proof.type === UserNameType.USERNAME_TYPE_FNAME) return false;
    const held = await retryHubCall(() => this.#deps.client.getUsernameProof(proof.name), this.#deps);
    return held !== undefined && proofKey(held) === proofKey(proof);
  }

  #take(wire: Uint8Array): IngestItem {
    if (this.#deps.filter) {
      const head = readMessageHead(wire);
      if (head?.type === MessageType.CAST_ADD) this.casts.push(head.hash);
    }
    return { kind: 'message', wire };
  }

  async #submit(items: readonly IngestItem[]): Promise<void> {
    const due = items.filter((item) => item.kind !== 'message' || !this.#isRemovedByHub(item.wire));
    if (due.length === 0) return;
    await this.#deps.signerResolver.submit(due, { ...LISTED, announce: this.#options.announce });
  }

  #isRemovedByHub(wire: Uint8Array): boolean {
    const head = readMessageHead(wire);
    return head !== undefined && this.#watch.hasRemoved(head.hash);
  }
}

const proofKey = ({ name, timestamp }: { readonly name: Uint8Array; readonly timestamp: number }): string =>
  `${timestamp}:${hashKey(name)}`;
