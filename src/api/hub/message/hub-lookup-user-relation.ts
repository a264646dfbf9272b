import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubLinkAdd } from '../../../schema/hub/link.js';
import { operation } from '../../http/operation.js';
import { fidQuery, linkTypeQuery } from '../parameter.js';
import { singleMessage } from './page.js';
import { findLink } from './single.js';

export const hubLookupUserRelation = operation({
  id: 'hub-lookup-user-relation',
  path: '/v1/linkById',
  tags: ['Hub Links'],
  title: 'Get a link message',
  summary: 'Read one link message.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: fidQuery, target_fid: fidQuery, link_type: linkTypeQuery }),
  parameters: {
    fid: { description: 'The account that follows or blocks.', example: 2 },
    target_fid: { description: 'The account that is followed or blocked.', example: 12 },
    link_type: { description: 'The kind of link: `follow`, `block` or another word.', example: 'follow' },
  },
  response: HubLinkAdd,
  errors: [400, 404],
  read: async ({ query: { fid, target_fid: targetFid, link_type: type } }, read) => {
    const envelope = await findLink(read, fid, { type, targetFid });
    if (envelope === undefined) throw notFound(`Fid ${fid} has no ${type} link to fid ${targetFid}.`, 'target_fid');
    return singleMessage(read, envelope);
  },
});
