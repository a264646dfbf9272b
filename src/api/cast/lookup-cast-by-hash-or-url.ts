import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { CastResponse } from '../../schema/social/cast.js';
import { viewCastResponse } from '../../view/cast-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

export const lookupCastByHashOrUrl = operation({
  id: 'lookup-cast-by-hash-or-url',
  path: '/v2/social/cast/',
  tags: ['Cast'],
  title: 'Get a cast',
  summary: 'Read one cast by its hash or web address.',
  cost: { fixed: 4 },
  headers: experimentalHeader,
  query: Type.Object({ ...castIdentifier, viewer_fid: viewerFid }),
  parameters: { viewer_fid: { description: 'The account that looks: adds `viewer_context` to the cast.' } },
  response: CastResponse,
  read: async ({ query, caller }, read) => {
    const hash = await readIdentifier(query, read);
    const audience = { appId: caller.appId, viewer: query.viewer_fid ?? null };
    const page = await hydrateCasts(read, hash === undefined ? [] : [hash], { audience });
    // The contract lists no 404 for this operation.
    if (hash === undefined || !page.casts.has(hash)) throw invalidField('identifier', 'No such cast is stored.');
    return viewCastResponse(hash, page);
  },
});
