import { OnChainEvent, SignerSource, type SignersByFidResponse } from '@farcaster/core';
import type { Reader } from '../../../db/statement.js';
import { requestFidOf } from '../../../protocol/eip712.js';
import { MAX_ACTIVE_KEYS } from '../../../protocol/storage-limit.js';
import { toUnixMs } from '../../../protocol/time.js';
import { decodeDataBytes } from '../../../protocol/wire/decode.js';
import {
  selectKeyCounts,
  selectMessageKey,
  selectMessageKeys,
  selectOnchainKey,
  selectOnchainKeys,
  selectRequesterNonces,
} from '../../../store/hub/signer.js';
import { decodeListToken, encodeListToken } from '../list-token.js';
import { readSignerPlace, type SignerPlace, writeSignerPlace } from './signer-place.js';

/** The protocol's `Signer`, which its package exports inside of this response only. */
export type HubSigner = SignersByFidResponse['signers'][number];

type OnchainKey = Awaited<ReturnType<typeof selectOnchainKeys>>[number];
type MessageKey = Awaited<ReturnType<typeof selectMessageKeys>>[number];

const unixSeconds = (protocolSeconds: number): number => toUnixMs(protocolSeconds) / 1000;

const onchainSigner = (fid: number, { key, keyType, addedAt, body }: OnchainKey): HubSigner => ({
  source: SignerSource.ONCHAIN,
  key,
  keyType,
  fid,
  addedAt: addedAt.getTime() / 1000,
  scopes: [],
  onchainEvent: body === null ? undefined : OnChainEvent.decode(body),
});

/** An expired key is one, too: hubs return it, and `expiresAt` says so. */
const messageSigner = (fid: number, { key, ts, data, lastUsedTs }: MessageKey): HubSigner => {
  const body = decodeDataBytes(data).keyAddBody;
  const ttl = body?.ttl ?? 0;
  const used = lastUsedTs === null ? undefined : unixSeconds(lastUsedTs);
  return {
    source: SignerSource.OFFCHAIN,
    key,
    keyType: body?.keyType ?? 1,
    fid,
    addedAt: unixSeconds(ts),
    lastUsedAt: used,
    ttl,
    expiresAt: used !== undefined && ttl > 0 ? used + ttl : undefined,
    scopes: body?.scopes ?? [],
    requestFid: (body && requestFidOf(body.metadata)) ?? undefined,
    nonce: body?.nonce,
  };
};

/**
 * @param key 32-byte Ed25519 public key
 * @returns the key of the account, as it was registered onchain or, if it is not, by a message; times in Unix seconds.
 *   undefined: it is no active signer
 * @source `get_active_key` in snapchain's `active_key.rs`
 */
export const findSigner = async (read: Reader, fid: number, key: Uint8Array): Promise<HubSigner | undefined> => {
  const [onchain, message] = await Promise.all([selectOnchainKey(read, fid, key), selectMessageKey(read, fid, key)]);
  if (onchain !== undefined) return onchainSigner(fid, onchain);
  return message && messageSigner(fid, message);
};

export interface SignerList {
  readonly fid: number;
  /** 1 to 1,000. */
  readonly pageSize: number;
  /** `nextPageToken` of the previous page; undefined or empty: the first page. */
  readonly pageToken?: Uint8Array | undefined;
  /** Turns both parts of the list around; the keys registered onchain are still the first ones. */
  readonly reverse?: boolean | undefined;
  /** Apps whose nonce is asked for. */
  readonly requesterFids?: readonly number[] | undefined;
}

interface Entry {
  readonly signer: HubSigner;
  readonly place: SignerPlace;
}

const selectEntries = async (read: Reader, { fid, pageSize, reverse = false }: SignerList, after?: SignerPlace) => {
  const limit = pageSize + 1;
  const onchain =
    after?.kind === 'message' ? [] : await selectOnchainKeys(read, fid, { after: after?.place, reverse, limit });
  const key = after?.kind === 'message' ? after.key : undefined;
  const byMessage = await selectMessageKeys(read, fid, { after: key, reverse, limit: limit - onchain.length });
  return [
    ...onchain.map((row): Entry => ({ signer: onchainSigner(fid, row), place: { kind: 'onchain', place: row } })),
    ...byMessage.map((row): Entry => ({ signer: messageSigner(fid, row), place: { kind: 'message', key: row.key } })),
  ];
};

/**
 * Lists the active signers of an account: those registered onchain in the order of the chain, each once, then those that
 * messages registered, by key. At most four statements, whatever the page.
 * @returns a page of signers, the number of all that messages registered, and the nonces: the last ones that count, 0
 *   where none was used
 * @throws AppError invalid, property `pageToken`, for a token that no page of this account returned
 * @source `list_signers_for_fid` in snapchain's `server.rs`
 */
export const listSigners = async (read: Reader, list: SignerList): Promise<SignersByFidResponse> => {
  const { fid, pageSize, pageToken, requesterFids = [] } = list;
  const subject = ['signers', fid];
  const position = decodeListToken(subject, pageToken);
  const [entries, counts, nonces] = await Promise.all([
    selectEntries(read, list, position && readSignerPlace(position)),
    selectKeyCounts(read, fid),
    requesterFids.length === 0 ? new Map<number, number | null>() : selectRequesterNonces(read, requesterFids),
  ]);
  const page = entries.slice(0, pageSize);
  const last = entries.length > pageSize ? page.at(-1) : undefined;
  return {
    signers: page.map(({ signer }) => signer),
    nextPageToken: last && encodeListToken(subject, writeSignerPlace(last.place)),
    gaslessSignerCount: counts.messageKeys,
    gaslessSignerLimit: MAX_ACTIVE_KEYS,
    currentUserNonce: counts.nonce ?? 0,
    requesterFidNonces: Object.fromEntries(requesterFids.map((app) => [app, nonces.get(app) ?? 0])),
  };
};
