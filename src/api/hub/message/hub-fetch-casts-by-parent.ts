import Type, { type Static } from 'typebox';
import { invalidField } from '../../../error.js';
import { urlDigest } from '../../../protocol/url-digest.js';
import { EXAMPLE_HASH } from '../../../schema/example.js';
import { HubCastsResponse } from '../../../schema/hub/cast.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { bytesOf, fidQuery, hashQuery } from '../parameter.js';
import { castsByParent, type Target } from './list.js';
import { renderMessagePage } from './page.js';

const Query = Type.Object({
  fid: Type.Optional(fidQuery),
  hash: Type.Optional(hashQuery),
  url: Type.Optional(Type.String({ format: 'uri', description: 'Target URL starting with chain://.' })),
  ...messagePageQuery,
});

/** @throws AppError invalid unless exactly one parent is given: a cast by `fid` and `hash`, or a URL */
const parentOf = ({ fid, hash, url }: Static<typeof Query>): Target => {
  if (url !== undefined) {
    if (fid !== undefined || hash !== undefined) {
      throw invalidField('url', 'url must be left out when fid and hash name a cast: there is one parent');
    }
    return { fid: 0, hash: urlDigest(url) };
  }
  if (fid === undefined) throw invalidField('fid', 'fid is required together with hash, unless url is given');
  if (hash === undefined) throw invalidField('hash', 'hash is required together with fid, unless url is given');
  return { fid, hash: bytesOf(hash, 'hash', 20) };
};

export const hubFetchCastsByParent = operation({
  id: 'hub-fetch-casts-by-parent',
  path: '/v1/castsByParent',
  tags: ['Hub Casts'],
  title: 'List reply messages',
  summary: 'List reply messages of a parent cast or URL, oldest first.',
  cost: { fixed: 200 },
  query: Query,
  parameters: {
    fid: { description: 'The author of the parent cast; needed together with `hash`.', example: 1 },
    hash: { description: 'Hash of the parent cast; needed together with `fid`.', example: EXAMPLE_HASH.root },
  },
  response: HubCastsResponse,
  read: async ({ query }, read) => renderMessagePage(read, await castsByParent(read, parentOf(query), query)),
});
