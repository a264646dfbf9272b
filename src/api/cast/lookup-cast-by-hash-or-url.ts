import Type from 'typebox';
import { invalidField } from '../../error.js';
import type { Hydrate } from '../../hydrate/hydrate.js';
import { CastResponse } from '../../schema/cast.js';
import { selectCastByPrefix } from '../../store/cast-read.js';
import type { Database } from '../../store/database.js';
import { viewCast } from '../../view/cast-page.js';
import { operation } from '../operation.js';
import { experimentalHeader, viewerFid } from '../parameter.js';
import { readCastAddress } from './cast-address.js';
import { readCastHash } from './cast-hash.js';

const hashOfAddress = async (text: string, db: Database, hydrate: Hydrate): Promise<string | undefined> => {
  const address = readCastAddress(text);
  if (address === undefined) {
    throw invalidField(
      'identifier',
      'identifier must be the web address of a cast: https://host/username/0x and at least 8 digits of its hash',
    );
  }
  if ('hash' in address) return address.hash;
  const fid = await hydrate.fidOfUsername(address.username);
  return fid === undefined ? undefined : selectCastByPrefix(db, fid, address.prefix);
};

const hashOfText = (text: string): string => {
  const hash = readCastHash(text);
  if (hash === undefined) throw invalidField('identifier', 'identifier must be a cast hash: 0x and 40 hex digits');
  return hash;
};

export const lookupCastByHashOrUrl = operation({
  id: 'lookup-cast-by-hash-or-url',
  method: 'GET',
  path: '/v2/social/cast/',
  tags: ['Cast'],
  summary: 'Read one cast by its hash or web address.',
  family: 'v2',
  scope: 'read',
  units: 1,
  headers: experimentalHeader,
  query: Type.Object({
    identifier: Type.String({ description: 'A web address when type is url, a cast hash when type is hash.' }),
    type: Type.Enum(['url', 'hash'], { type: 'string' }),
    viewer_fid: viewerFid,
  }),
  response: CastResponse,
  errors: [400],
  handle: async ({ query }, { db, hydrate, clock }) => {
    const { identifier, type } = query;
    const hash = type === 'url' ? await hashOfAddress(identifier, db, hydrate) : hashOfText(identifier);
    const page = await hydrate.casts(hash === undefined ? [] : [hash], { now: clock(), viewer: query.viewer_fid });
    // The contract lists no 404 for this operation, as for other lookups where an unknown thing is a wrong parameter.
    if (hash === undefined || !page.casts.has(hash)) throw invalidField('identifier', 'No such cast is stored.');
    return viewCast(hash, page);
  },
});
