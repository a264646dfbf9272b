import type { Embed } from '@farcaster/core';
import { bareHex } from '../../hex.js';
import { decodeData } from '../../protocol/wire/decode.js';
import { BatchCastBody } from '../../schema/batch.js';
import { dataFormOf } from '../../store/protocol/message.js';
import { selectBatchCasts } from '../../store/query/batch.js';
import { type BatchEntry, batchOperation, UNREAD } from './batch-operation.js';

const embedOf = ({ url, castId }: Embed): BatchCastBody['embeds'] => {
  if (url !== undefined) return [{ url }];
  return castId === undefined ? [] : [{ cast_id: { fid: castId.fid, hash: bareHex(castId.hash) } }];
};

export const batchCastBodies = batchOperation({
  name: 'cast-bodies',
  tag: 'Cast',
  title: 'Read the casts of many accounts',
  what: 'the casts, as they were signed,',
  // As many as 500 casts of usual length need.
  each: 12,
  entry: BatchCastBody,
  select: selectBatchCasts,
  entryOf: (row): BatchEntry<BatchCastBody> => {
    const { hash, data } = row;
    if (data === null) return UNREAD;
    const { castAddBody: cast, timestamp } = decodeData({ dataBytes: data, dataForm: dataFormOf(row) });
    if (cast === undefined) return undefined;
    return {
      hash: bareHex(hash),
      text: cast.text,
      parent_fid: cast.parentCastId?.fid ?? null,
      parent_hash: cast.parentCastId === undefined ? null : bareHex(cast.parentCastId.hash),
      mentions: cast.mentions,
      embeds: cast.embeds.flatMap(embedOf),
      timestamp,
    };
  },
});
