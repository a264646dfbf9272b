import Type from 'typebox';
import { HubLinksResponse } from '../../../schema/hub/link.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { fidQuery, linkTypeQuery } from '../parameter.js';
import { hasLinkType, linkSubtypesOf } from './link-type.js';
import { linksByAuthor } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchUserFollowing = operation({
  id: 'hub-fetch-user-following',
  path: '/v1/linksByFid',
  tags: ['Hub Links'],
  title: 'List link messages of an account',
  summary: 'List link messages made by a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, link_type: Type.Optional(linkTypeQuery), ...messagePageQuery }),
  parameters: {
    fid: { description: 'The account that follows or blocks.', example: 1 },
    link_type: {
      description: 'The kind of link: `follow`, `block` or another word. All kinds when absent.',
      example: 'follow',
    },
  },
  response: HubLinksResponse,
  read: async ({ query }, read) => {
    const subtypes = linkSubtypesOf(query.link_type);
    return renderMessagePage(read, await linksByAuthor(read, query.fid, subtypes, query), hasLinkType(query.link_type));
  },
});
