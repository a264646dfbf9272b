import { randomBytes } from 'node:crypto';
import type { OnChainEvent } from '@farcaster/core';
import type { ServiceCore } from '../../app/service-core.js';
import type { StoreConfig } from '../../config/config.js';
import { AppError, notFound } from '../../error.js';
import { msIntoBlock } from '../../protocol/registry-block.js';
import { fromUnixMs } from '../../protocol/time.js';
import { wallet } from '../../sample/key.js';
import { type BlockPosition, registerEvent, signerEvent } from '../../sample/onchain.js';
import { derive } from '../../sample/random.js';
import { type KeyRequester, signedKeyRequest } from '../../sample/verification-claim.js';
import { keyMetadata } from '../../signer/key-request-signature.js';
import type { LocalKey } from '../../signer/local-key.js';
import { selectLatestKeyRequest } from '../../store/access/signed-key-request.js';
import { selectExistingFids } from '../../store/query/account-exists.js';
import { findSampleAuthor } from './sample-author.js';

/**
 * Requests keys for which no app registered a request: account 2 of the sample network, which has a name and a picture.
 * Its wallet is public knowledge, like everything in the local network.
 */
const SAMPLE_APP_FID = 2;
/** Used without the sample network: the highest fid that the interface can show, which no account has. */
const DEVELOPMENT_APP = { fid: 2_147_483_647, wallet: wallet(derive('castellan development app')) };

const REQUEST_SECONDS = 86_400;
/** Events of a block are ordered by their index, which here is their time within the block. */
const currentPosition = (fid: number): BlockPosition => {
  const now = Date.now();
  return { seed: randomBytes(16).toString('hex'), fid, at: fromUnixMs(now), logIndex: msIntoBlock(now) };
};

/** @returns the requester of a key without a registered request; with the sample network, an app of it */
const requesterOf = async (core: ServiceCore): Promise<KeyRequester> => {
  const app = await findSampleAuthor(core.db, SAMPLE_APP_FID);
  if (app) return { fid: app.fid, wallet: app.custody };
  const { fid, wallet: custody } = DEVELOPMENT_APP;
  if (!(await selectExistingFids(core.db, [fid])).has(fid)) {
    await play(core, registerEvent(currentPosition(fid), custody.address, custody.address));
  }
  return DEVELOPMENT_APP;
};

const play = async ({ ingest }: ServiceCore, event: OnChainEvent): Promise<void> => {
  await ingest.submit([{ kind: 'onchain', event }], { source: 'local', announce: true });
};

/** @throws AppError with a hub, which reports the keys itself */
export const requireLocalChain = ({ hub }: Pick<StoreConfig, 'hub'>): void => {
  if (!hub) return;
  const message = `CASTELLAN_HUB_URL is set (${hub.address}), so keys come from the network: approve with a wallet at the approval address.`;
  throw new AppError('conflict', 'HubFollowed', message);
};

/** @returns the metadata of the app's request, or of one by an app of this network */
const metadataOf = async (core: ServiceCore, { key, keyType }: LocalKey): Promise<Uint8Array> => {
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
 * Stores the event of the key registry for a key that an account adds.
 * @throws AppError for an unknown account, and for a request past its deadline
 */
export const addLocalKey = async (core: ServiceCore, local: LocalKey): Promise<void> => {
  const { fid, key, keyType } = local;
  if (!(await selectExistingFids(core.db, [fid])).has(fid)) {
    throw notFound(`There is no account ${fid} here. \`castellan dev\` begins with a sample network of accounts.`);
  }
  await play(core, signerEvent(currentPosition(fid), key, await metadataOf(core, local), keyType));
};

/** Stores the event of the key registry for a key that an account removes. */
export const removeLocalKey = async (core: ServiceCore, { fid, key, keyType }: LocalKey): Promise<void> =>
  play(core, signerEvent(currentPosition(fid), key, undefined, keyType));
