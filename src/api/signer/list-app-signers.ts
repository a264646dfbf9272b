import Type from 'typebox';
import { AppSignersResponse } from '../../schema/social/signer.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

const MAX_SIGNERS = 100;

export const listAppSigners = operation({
  id: 'list-app-signers',
  path: '/portal/signers',
  tags: ['portal'],
  title: 'List signers of the app',
  summary: 'List the newest signers of the calling app, approved or not.',
  cost: { fixed: 0 },
  scope: 'write',
  needsApp: true,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SIGNERS, default: MAX_SIGNERS })),
  }),
  response: AppSignersResponse,
  errors: [400, 403],
  handle: async ({ query: { limit = MAX_SIGNERS }, caller }, { signers, publicUrl, addLocalKey }) => {
    const found = await signers.listOf(caller.appId, limit);
    return {
      signers: found.map((signer) => viewSigner(signer, publicUrl)),
      is_local: addLocalKey !== undefined,
    };
  },
});
