import Type from 'typebox';
import { HubLinksResponse } from '../../../schema/hub/link.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { fidQuery, linkTypeQuery } from '../parameter.js';
import { hasLinkType, linkSubtypesOf } from './link-type.js';
import { linksByTarget } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchUserFollowers = operation({
  id: 'hub-fetch-user-followers',
  path: '/v1/linksByTargetFid',
  tags: ['Hub Links'],
  title: 'List link messages to an account',
  summary: 'List link messages that target a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ target_fid: fidQuery, link_type: Type.Optional(linkTypeQuery), ...messagePageQuery }),
  parameters: {
    target_fid: { description: 'The account that is followed or blocked.', example: 1 },
    link_type: {
      description: 'The kind of link: `follow`, `block` or another word. All kinds when absent.',
      example: 'follow',
    },
  },
  response: HubLinksResponse,
  read: async ({ query }, read) => {
    const subtypes = linkSubtypesOf(query.link_type);
    return renderMessagePage(
      read,
      await linksByTarget(read, query.target_fid, subtypes, query),
      hasLinkType(query.link_type),
    );
  },
});
