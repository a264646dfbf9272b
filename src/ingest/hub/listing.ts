import { OnChainEventType, SignerSource } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import { AppError } from '../../error.js';
import { MessageSet } from '../../protocol/conflict.js';
import type { IngestItem } from '../item.js';
import { readMessageHead } from '../wire.js';
import { type HubClient, isUnimplemented, type MessageCall } from './client.js';
import { hashKey } from './live-event-log.js';
import { type RetryContext, retryHubCall } from './retry.js';

/** Messages per page; hubs return at most 1,000. */
const PAGE_SIZE = 1_000;
/** A listing with more pages is assumed never to end. */
const MAX_PAGES = 20_000;

/** Calls that list all messages of an account, with the set that each lists completely. */
export const ACCOUNT_LISTINGS = [
  { call: 'getAllUserDataMessagesByFid', set: MessageSet.userData },
  { call: 'getAllVerificationMessagesByFid', set: MessageSet.verification },
  { call: 'getLinkCompactStateMessageByFid', set: MessageSet.linkCompactState },
  { call: 'getAllLinkMessagesByFid', set: MessageSet.link },
  { call: 'getAllLendStorageMessagesByFid', set: MessageSet.storageLending },
  { call: 'getAllCastMessagesByFid', set: MessageSet.cast },
  { call: 'getAllReactionMessagesByFid', set: MessageSet.reaction },
] as const;

/** The listings from which a referenced account is shown. */
export const PROFILE_LISTINGS = ACCOUNT_LISTINGS.slice(0, 2);

const ONCHAIN_TYPES = [
  OnChainEventType.EVENT_TYPE_ID_REGISTER,
  OnChainEventType.EVENT_TYPE_SIGNER,
  OnChainEventType.EVENT_TYPE_STORAGE_RENT,
  OnChainEventType.EVENT_TYPE_TIER_PURCHASE,
] as const;

type Request<Name extends MessageCall> = Parameters<typeof HubClient.prototype.getMessages<Name>>[1];

/**
 * Reads all pages of a call, waits while the hub is unavailable, and leaves out what an earlier page had.
 *
 * Hubs that page over several shards never report the end: their token is a JSON list with an entry per shard, null for
 * a finished shard, and a null entry starts that shard over (snapchain, `get_casts_by_parent` in `server.rs`). So a
 * listing also ends with a list of nulls, and with a page without new messages.
 * @param seen receives the {@link hashKey} of every listed message
 * @throws AppError `bad_gateway` if the hub rejects the call or the listing does not end
 */
export async function* listMessages<Name extends MessageCall>(
  client: HubClient,
  name: Name,
  request: Request<Name>,
  retry: RetryContext,
  seen: Set<string> = new Set(),
): AsyncGenerator<Uint8Array[]> {
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const requested = { ...request, pageSize: PAGE_SIZE, pageToken };
    const page = await retryHubCall(() => client.getMessages(name, requested), retry);
    const fresh = page.messages.filter((wire) => isNew(wire, seen));
    if (fresh.length > 0) yield fresh;
    const { nextPageToken } = page;
    const isOver = isLastToken(nextPageToken) || (page.messages.length > 0 && fresh.length === 0);
    if (isOver || (pageToken && equalBytes(nextPageToken, pageToken))) return;
    pageToken = nextPageToken;
  }
  throw new AppError('bad_gateway', 'HubListingEndless', `The hub's listing ${name} does not end.`);
}

/** An unreadable message is identified by its bytes; verification reports what is wrong with it. */
const isNew = (wire: Uint8Array, seen: Set<string>): boolean => {
  const key = hashKey(readMessageHead(wire)?.hash ?? wire);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
};

const isLastToken = (token: Uint8Array): boolean =>
  token.length === 0 || /^\[(null,?)*\]$/.test(Buffer.from(token.subarray(0, 4_096)).toString('latin1'));

/** @returns registration, keys, storage, pro purchases and names of an account */
export const readRegistration = async (client: HubClient, fid: number, retry: RetryContext): Promise<IngestItem[]> => {
  const [proofs, ...events] = await Promise.all([
    retryHubCall(() => client.getUsernameProofs(fid), retry),
    ...ONCHAIN_TYPES.map((type) => retryHubCall(() => client.getOnChainEvents(fid, type), retry)),
  ]);
  return [
    ...events.flat().map((event): IngestItem => ({ kind: 'onchain', event })),
    ...proofs.map((proof): IngestItem => ({ kind: 'proof', proof })),
  ];
};

/**
 * @returns the keys of an account that were registered by messages instead of onchain. No call returns those messages,
 *   so messages signed by such a key are accepted because the hub lists the key. Empty for hubs without the call.
 */
export const readOffchainKeys = async (client: HubClient, fid: number, retry: RetryContext): Promise<Uint8Array[]> => {
  const keys: Uint8Array[] = [];
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const token = pageToken;
    const page = await retryHubCall(() => client.getSigners(fid, token), retry).catch((error: unknown) => {
      if (isUnimplemented(error)) return undefined;
      throw error;
    });
    for (const signer of page?.signers ?? []) if (signer.source === SignerSource.OFFCHAIN) keys.push(signer.key);
    const next = page?.nextPageToken;
    if (!next || next.length === 0 || (pageToken && equalBytes(next, pageToken))) break;
    pageToken = next;
  }
  return keys;
};

/** @returns all accounts of a shard in the order of the hub */
export const listFids = async (client: HubClient, shardId: number, retry: RetryContext): Promise<number[]> => {
  const fids: number[] = [];
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const request = { shardId, pageSize: PAGE_SIZE, pageToken };
    const page = await retryHubCall(() => client.getFids(request), retry);
    for (const fid of page.fids) fids.push(fid);
    const next = page.nextPageToken;
    if (!next || next.length === 0 || page.fids.length === 0) return fids;
    pageToken = next;
  }
  throw new AppError('bad_gateway', 'HubListingEndless', "The hub's listing of accounts does not end.");
};
