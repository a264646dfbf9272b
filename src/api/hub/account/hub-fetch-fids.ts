import Type from 'typebox';
import type { Session } from '../../../db/statement.js';
import { invalidField } from '../../../error.js';
import { HubFidsResponse } from '../../../schema/hub/fid.js';
import { selectFids } from '../../../store/hub/fid.js';
import { operation } from '../../http/operation.js';
import { type PageQuery, pageQuery, pageSizeOf } from '../page-query.js';
import { requireShard } from '../parameter.js';

const TOKEN_FORM = /^[A-Za-z0-9+/]{11}=$/;

/** @returns the page token of a list of fids: base64 of the last fid in 8 bytes, big-endian */
const encodeFid = (fid: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(fid));
  return bytes.toString('base64');
};

/** @throws AppError invalid, property `pageToken`, for a token that `encodeFid` did not write */
const decodeFid = (token: string): number | undefined => {
  if (token === '') return undefined;
  const fid = TOKEN_FORM.test(token) ? Buffer.from(token, 'base64').readBigUInt64BE() : -1n;
  if (fid < 0n || fid > Number.MAX_SAFE_INTEGER || encodeFid(Number(fid)) !== token) {
    throw invalidField('pageToken', 'pageToken must be the nextPageToken of an earlier page, unchanged, or empty.');
  }
  return Number(fid);
};

/** Registered accounts, and those that have messages, in the order of their numbers. */
export const selectFidPage = async (
  db: Session,
  query: PageQuery,
): Promise<{ readonly fids: number[]; readonly nextPageToken: string }> => {
  const size = pageSizeOf(query);
  const after = decodeFid(query.pageToken ?? '');
  const found = await selectFids(db, { after, reverse: query.reverse ?? false, limit: size + 1 });
  const fids = found.slice(0, size);
  return { fids, nextPageToken: found.length > size ? encodeFid(fids.at(-1) as number) : '' };
};

export const hubFetchFids = operation({
  id: 'hub-fetch-fids',
  path: '/v1/fids',
  tags: ['Hub Fids'],
  title: 'List FIDs',
  summary: 'List FIDs of a shard.',
  cost: { fixed: 200 },
  query: Type.Object({ shard_id: Type.Integer({ description: 'This service has one shard: 1.' }), ...pageQuery }),
  response: HubFidsResponse,
  handle: ({ query }, { db }) => {
    requireShard(query.shard_id, 'shard_id');
    return selectFidPage(db, query);
  },
});
