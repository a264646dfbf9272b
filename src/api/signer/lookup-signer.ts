import Type from 'typebox';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { Signer } from '../../schema/social/signer.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const lookupSigner = operation({
  id: 'lookup-signer',
  path: '/v2/social/signer/',
  tags: ['Signer'],
  title: 'Get a signer',
  summary: 'Read the status of a signer of the calling app.',
  cost: { fixed: 1 },
  needsApp: true,
  query: Type.Object({ signer_uuid: Type.String({ description: 'Bound to the app that made it.' }) }),
  parameters: { signer_uuid: { example: EXAMPLE_SIGNER_UUID } },
  response: Signer,
  errors: [400, 403, 404, 500],
  handle: async ({ query, caller }, { signers, publicUrl }) =>
    viewSigner(await signers.look(caller.appId, query.signer_uuid), publicUrl),
});
