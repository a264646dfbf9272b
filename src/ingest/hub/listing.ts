import { OnChainEventType, SignerSource } from '@farcaster/core';
import { AppError } from '../../error.js';
import { MessageSet } from '../../protocol/conflict.js';
import { type HubClient, isUnimplemented, type MessageCall } from './client.js';
import { hashKey } from '../hub-live-mark.js';
import { type Patience, untilHubAnswers } from './retry.js';
import { readMessageHead } from '../wire.js';
import type { IngestItem } from '../item.js';

/** Messages a page; hubs give at most 1,000. */
const PAGE_SIZE = 1_000;
/** Pages after which a listing is taken for one that never ends. */
const MAX_PAGES = 20_000;

/** The calls that list all that an account has said, with the set that each lists completely. */
export const ACCOUNT_LISTINGS = [
  { call: 'getAllUserDataMessagesByFid', set: MessageSet.userData },
  { call: 'getAllVerificationMessagesByFid', set: MessageSet.verification },
  { call: 'getLinkCompactStateMessageByFid', set: MessageSet.linkCompactState },
  { call: 'getAllLinkMessagesByFid', set: MessageSet.link },
  { call: 'getAllLendStorageMessagesByFid', set: MessageSet.storageLending },
  { call: 'getAllCastMessagesByFid', set: MessageSet.cast },
  { call: 'getAllReactionMessagesByFid', set: MessageSet.reaction },
] as const;

/** What a stranger is shown by: how it presents itself. */
export const PROFILE_LISTINGS = ACCOUNT_LISTINGS.slice(0, 2);

const ONCHAIN_TYPES = [
  OnChainEventType.EVENT_TYPE_ID_REGISTER,
  OnChainEventType.EVENT_TYPE_SIGNER,
  OnChainEventType.EVENT_TYPE_STORAGE_RENT,
  OnChainEventType.EVENT_TYPE_TIER_PURCHASE,
] as const;

type Request<Name extends MessageCall> = Parameters<typeof HubClient.prototype.getMessages<Name>>[1];

/**
 * Reads all pages of a call, waiting while the hub is away, and leaves out what an earlier page had.
 *
 * Hubs that page over several shards never say that they are done: their token is a JSON list with one entry a shard,
 * null where the shard is, and a null entry begins that shard anew (snapchain, `get_casts_by_parent` in `server.rs`).
 * So a listing also ends with a list of nulls, and with a page that has nothing new.
 * @param seen takes the {@link hashKey} of every message listed
 * @throws AppError `bad_gateway` when the hub refuses the call or the listing does not end
 */
export async function* listMessages<Name extends MessageCall>(
  client: HubClient,
  name: Name,
  request: Request<Name>,
  patience: Patience,
  seen: Set<string> = new Set(),
): AsyncGenerator<Uint8Array[]> {
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const asked = { ...request, pageSize: PAGE_SIZE, pageToken };
    const page = await untilHubAnswers(() => client.getMessages(name, asked), patience);
    const fresh = page.messages.filter((wire) => isNew(wire, seen));
    if (fresh.length > 0) yield fresh;
    const { nextPageToken } = page;
    const isOver = isLastToken(nextPageToken) || (page.messages.length > 0 && fresh.length === 0);
    if (isOver || (pageToken && Buffer.compare(nextPageToken, pageToken) === 0)) return;
    pageToken = nextPageToken;
  }
  throw new AppError('bad_gateway', 'HubListingEndless', `The hub's listing ${name} does not end.`);
}

/** A message that cannot be read goes by its bytes: whoever verifies it says what is wrong. */
function isNew(wire: Uint8Array, seen: Set<string>): boolean {
  const key = hashKey(readMessageHead(wire)?.hash ?? wire);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

const isLastToken = (token: Uint8Array): boolean =>
  token.length === 0 || /^\[(null,?)*\]$/.test(Buffer.from(token.subarray(0, 4_096)).toString('latin1'));

/** @returns registration, keys, storage, pro purchases and names of an account. */
export const readRegistration = async (client: HubClient, fid: number, patience: Patience): Promise<IngestItem[]> => {
  const [proofs, ...events] = await Promise.all([
    untilHubAnswers(() => client.getUsernameProofs(fid), patience),
    ...ONCHAIN_TYPES.map((type) => untilHubAnswers(() => client.getOnChainEvents(fid, type), patience)),
  ]);
  return [
    ...events.flat().map((event): IngestItem => ({ kind: 'onchain', event })),
    ...proofs.map((proof): IngestItem => ({ kind: 'proof', proof })),
  ];
};

/**
 * @returns the keys of an account that the hub knows from messages instead of the chain. No call gives those messages,
 *   so the hub's word must do for what such a key signed. Empty for hubs without the call.
 */
export const readOffchainKeys = async (client: HubClient, fid: number, patience: Patience): Promise<Uint8Array[]> => {
  const keys: Uint8Array[] = [];
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const token = pageToken;
    const page = await untilHubAnswers(() => client.getSigners(fid, token), patience).catch((error: unknown) => {
      if (isUnimplemented(error)) return undefined;
      throw error;
    });
    for (const signer of page?.signers ?? []) if (signer.source === SignerSource.OFFCHAIN) keys.push(signer.key);
    const next = page?.nextPageToken;
    if (!next || next.length === 0 || (pageToken && Buffer.compare(next, pageToken) === 0)) break;
    pageToken = next;
  }
  return keys;
};

/** @returns all accounts of a shard, in the hub's order. */
export const listFids = async (client: HubClient, shardId: number, patience: Patience): Promise<number[]> => {
  const fids: number[] = [];
  let pageToken: Uint8Array | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const request = { shardId, pageSize: PAGE_SIZE, pageToken };
    const page = await untilHubAnswers(() => client.getFids(request), patience);
    for (const fid of page.fids) fids.push(fid);
    const next = page.nextPageToken;
    if (!next || next.length === 0 || page.fids.length === 0) return fids;
    pageToken = next;
  }
  throw new AppError('bad_gateway', 'HubListingEndless', "The hub's listing of accounts does not end.");
};
