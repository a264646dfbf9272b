import type { Reader } from '../../../db/statement.js';
import { type OnchainKeyPlace, selectOnchainKeys } from '../../../store/hub/signer.js';
import { decodeListToken, encodeListToken } from '../list-token.js';
import { readOnchainPlace, writeOnchainPlace } from './signer-place.js';

export interface SignerEventList {
  readonly fid: number;
  /** 1 to 1,000. */
  readonly pageSize: number;
  /** `nextPageToken` of the previous page; undefined or empty: the first page. */
  readonly pageToken?: Uint8Array | undefined;
  readonly reverse?: boolean | undefined;
}

/**
 * Lists the events that added the active keys of an account, each key once, in the order of the chain.
 * @returns a page of protobuf `OnChainEvent`s
 * @throws AppError invalid, property `pageToken`, for a token that no page of this account returned
 * @source `get_on_chain_signers_by_fid` in snapchain's `server.rs`
 */
export const listSignerEvents = async (
  read: Reader,
  { fid, pageSize, pageToken, reverse = false }: SignerEventList,
): Promise<{ readonly events: readonly Uint8Array[]; readonly nextPageToken: Uint8Array | undefined }> => {
  const subject = ['signer events', fid];
  const position = decodeListToken(subject, pageToken);
  const after: OnchainKeyPlace | undefined = position && readOnchainPlace(position);
  const found = await selectOnchainKeys(read, fid, { after, reverse, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    events: page.flatMap(({ body }) => body ?? []),
    nextPageToken: last && encodeListToken(subject, writeOnchainPlace(last)),
  };
};
