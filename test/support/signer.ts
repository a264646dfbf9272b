import { type OnChainEvent, SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES } from '@farcaster/core';
import { fromUnixMs } from '../../src/protocol/time.js';
import type { Author } from '../../src/sample/author.js';
import { wallet } from '../../src/sample/key.js';
import { registerEvent, signerEvent, unixSeconds } from '../../src/sample/onchain.js';
import { derive } from '../../src/sample/random.js';
import { type KeyRequester, signedKeyRequest } from '../../src/sample/verification-claim.js';
import type { SharedSignerPermission } from '../../src/schema/social/signer.js';
import { updateManagedSignerPermissions } from '../../src/store/access/managed-signer.js';
import type { Network } from './network.js';

const SEED = 'signer test';
const DAY_SECONDS = 86_400;

/** Events of one account must differ in place, whichever test file makes them. */
let events = 1000;

const place = (fid: number) => ({ seed: SEED, fid, at: fromUnixMs(Date.now()), logIndex: events++ });

/** Plays an event of the chain, as it would come from the hub. */
export const playEvent = async (network: Network, event: OnChainEvent): Promise<void> => {
  await network.app.core.ingest.submit([{ kind: 'onchain', event }], { source: 'local', announce: true });
};

/** Registers an account whose custody wallet follows from the fid. @returns the wallet. */
export const registerAccount = async (network: Network, fid: number): Promise<KeyRequester['wallet']> => {
  const custody = wallet(derive(SEED, 'custody', fid));
  await playEvent(network, registerEvent(place(fid), custody.address, custody.address));
  return custody;
};

/** Registers an account that an address holds, which may be that of a contract. */
export const registerHolder = (network: Network, fid: number, custody: `0x${string}`): Promise<void> => {
  const address = Buffer.from(custody.slice(2), 'hex');
  return playEvent(network, registerEvent(place(fid), address, address));
};

/** Plays that an account takes a key; its app's account is `requestFid`, the account itself unless given. */
export const addKey = async (
  network: Network,
  fid: number,
  key: Uint8Array,
  { requestFid = fid, keyType = 1 }: { readonly requestFid?: number; readonly keyType?: 1 | 2 } = {},
): Promise<void> => {
  const requester = { fid: requestFid, wallet: wallet(derive(SEED, 'requester', requestFid)) };
  const at = place(fid);
  const metadata = await signedKeyRequest(key, requester, unixSeconds(at.at) + DAY_SECONDS);
  await playEvent(network, signerEvent(at, key, metadata, keyType));
};

/** Plays that an account takes a key back. */
export const removeKey = (network: Network, fid: number, key: Uint8Array, keyType: 1 | 2 = 1): Promise<void> =>
  playEvent(network, signerEvent(place(fid), key, undefined, keyType));

/** Makes a signer of the network's app through the front door and plays its approval by an account. */
export const approvedSigner = async (
  network: Network,
  who: Author | number,
  { permissions }: { readonly permissions?: readonly SharedSignerPermission[] } = {},
): Promise<{ readonly uuid: string; readonly publicKey: Uint8Array; readonly fid: number }> => {
  const made = await network.send('POST', '/v2/social/signer/', undefined);
  if (made.status !== 200) throw new Error(`no signer was made: ${JSON.stringify(made.body)}`);
  const uuid = made.body.signer_uuid as string;
  const publicKey = new Uint8Array(Buffer.from((made.body.public_key as string).slice(2), 'hex'));
  const fid = typeof who === 'number' ? who : who.fid;
  await addKey(network, fid, publicKey);
  if (permissions !== undefined) await updateManagedSignerPermissions(network.app.core.db, uuid, permissions);
  return { uuid, publicKey, fid };
};

/** Signs what an app asks of accounts, as its custody wallet does. `domain` changes what it is signed for. */
export const signKeyRequest = (
  custody: KeyRequester['wallet'],
  claim: { readonly app_fid: number; readonly deadline: number; readonly key: Uint8Array },
  domain: { readonly chainId?: number; readonly name?: string } = {},
): Promise<`0x${string}`> =>
  custody.account.signTypedData({
    ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES,
    domain: { ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES.domain, ...domain },
    primaryType: 'SignedKeyRequest',
    message: {
      requestFid: BigInt(claim.app_fid),
      key: `0x${Buffer.from(claim.key).toString('hex')}`,
      deadline: BigInt(claim.deadline),
    },
  });

/** @returns Unix seconds from now on. */
export const secondsAhead = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
