import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubCastAdd } from '../../../schema/hub/cast.js';
import { operation } from '../../http/operation.js';
import { bytesOf, fidQuery, hashQuery } from '../parameter.js';
import { HASH_TEXT } from '../parameter-text.js';
import { singleMessage } from './page.js';
import { findCast } from './single.js';

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
    const envelope = await findCast(read, fid, bytesOf(hash, 'hash', 20));
    if (envelope === undefined) throw notFound(`Fid ${fid} has no cast ${hash} here.`, 'hash');
    return singleMessage(read, envelope);
  },
});
