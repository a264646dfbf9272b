import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { notFound } from '../../../error.js';
import { MessageSet } from '../../../protocol/conflict.js';
import { HubCastAdd } from '../../../schema/hub/cast.js';
import { selectEnvelope } from '../../../store/hub/message.js';
import { operation } from '../../http/operation.js';
import { bytesOf, fidQuery, hashQuery } from '../parameter.js';
import { HASH_TEXT } from '../parameter-text.js';
import { singleMessage } from './page.js';

export const hubLookupCastByHashAndFid = operation({
  id: 'hub-lookup-cast-by-hash-and-fid',
  path: '/v1/castById',
  tags: ['Hub Casts'],
  title: 'Get a cast message',
  summary: 'Read one cast message.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: fidQuery, hash: hashQuery }),
  parameters: { fid: { description: 'The author of the cast.', example: 1 }, hash: HASH_TEXT },
  response: HubCastAdd,
  errors: [400, 404],
  read: async ({ query: { fid, hash } }, read) => {
    const place = { fid, messageSet: MessageSet.cast, key: bytesOf(hash, 'hash', 20) };
    const envelope = await selectEnvelope(read, place, MessageType.CAST_ADD);
    if (envelope === undefined) throw notFound(`Fid ${fid} has no cast ${hash} here.`, 'hash');
    return singleMessage(read, envelope);
  },
});
