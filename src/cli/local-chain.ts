import { randomBytes } from 'node:crypto';
import type { OnChainEvent } from '@farcaster/core';
import type { StoreConfig } from '../config/config.js';
import type { Core } from '../service-core.js';
import { AppError, notFound } from '../error.js';
import { fromUnixMs } from '../protocol/time.js';
import { type KeyRequester, signedKeyRequest } from '../sample/verification-claim.js';
import { wallet } from '../sample/key.js';
import { type EventPlace, msIntoBlock, registerEvent, signerEvent } from '../sample/onchain.js';
import { derive } from '../sample/random.js';
import { keyMetadata } from '../signer/key-request-signature.js';
import { selectExistingFids } from '../store/query/account-exists.js';
import { type KeyType, selectLatestKeyRequest } from '../store/access/signed-key-request.js';
import { findSampleAuthor } from './dev/sample-author.js';

/**
 * The app of the sample network that asks for keys nobody asked for: account 2, which has a name and a picture. Its
 * wallet is public knowledge, like everything of the local network.
 */
const SAMPLE_APP_FID = 2;
/** Stands in for it where the store has no sample network: the last fid that the interface can show meets nobody. */
const DEVELOPMENT_APP = { fid: 2_147_483_647, wallet: wallet(derive('castellan development app')) };

const REQUEST_SECONDS = 86_400;
/** Events of one block are in the order of their number, which here is their time in it. */
const placeNow = (fid: number): EventPlace => {
  const now = Date.now();
  return { seed: randomBytes(16).toString('hex'), fid, at: fromUnixMs(now), logIndex: msIntoBlock(now) };
};

/** @returns who asks for a key that no app registered a request for; with the sample network a known app. */
const requesterOf = async (core: Core): Promise<KeyRequester> => {
  const app = await findSampleAuthor(core.db, SAMPLE_APP_FID);
  if (app) return { fid: app.fid, wallet: app.custody };
  const { fid, wallet: custody } = DEVELOPMENT_APP;
  if (!(await selectExistingFids(core.db, [fid])).has(fid)) {
    await play(core, registerEvent(placeNow(fid), custody.address, custody.address));
  }
  return DEVELOPMENT_APP;
};

const play = async ({ ingest }: Core, event: OnChainEvent): Promise<void> => {
  await ingest.submit([{ kind: 'onchain', event }], { source: 'local', announce: true });
};

/** @throws AppError where a real network says who holds which key. */
export const requireLocalChain = ({ hub }: Pick<StoreConfig, 'hub'>): void => {
  if (!hub) return;
  const message = `HUB_URL is set (${hub.address}), so keys come from the network: approve with a wallet at the approval address.`;
  throw new AppError('conflict', 'HubFollowed', message);
};

/** A key and the account that takes it. */
export interface LocalKey {
  readonly fid: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly keyType: KeyType;
}

/** @returns the metadata of the app's own request, or of one that an app of this network makes. */
const metadataOf = async (core: Core, { key, keyType }: LocalKey): Promise<Uint8Array> => {
  const now = Date.now();
  const request = await selectLatestKeyRequest(core.db, key, keyType);
  if (request === undefined) {
    return signedKeyRequest(key, await requesterOf(core), Math.floor(now / 1000) + REQUEST_SECONDS);
  }
  if (request.deadline.getTime() <= now) {
    const message = `The app's request ended at ${request.deadline.toISOString()}: let the app register a new one.`;
    throw new AppError('conflict', 'DeadlinePassed', message);
  }
  return keyMetadata({ ...request, key, deadline: request.deadline.getTime() / 1000 });
};

/**
 * Plays what the key registry would say when an account takes a key.
 * @throws AppError for an account that is not there, and for a request past its deadline.
 */
export const addLocalKey = async (core: Core, local: LocalKey): Promise<void> => {
  const { fid, key, keyType } = local;
  if (!(await selectExistingFids(core.db, [fid])).has(fid)) {
    throw notFound(`There is no account ${fid} here. \`castellan dev\` begins with a sample network of accounts.`);
  }
  await play(core, signerEvent(placeNow(fid), key, await metadataOf(core, local), keyType));
};

/** Plays what the key registry would say when an account takes a key back. */
export const removeLocalKey = async (core: Core, { fid, key, keyType }: LocalKey): Promise<void> =>
  play(core, signerEvent(placeNow(fid), key, undefined, keyType));
