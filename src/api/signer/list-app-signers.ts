import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { AppSignersResponse } from '../../schema/social/signer.js';
import { stringEnum } from '../../schema/string-enum.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

const MAX_SIGNERS = 100;

export const listAppSigners = operation({
  id: 'list-app-signers',
  path: '/portal/signers',
  tags: ['portal'],
  title: 'List signers of the app',
  summary: 'List the newest signers of the calling app: all, the approved ones, or those of an account.',
  cost: { fixed: 0 },
  scope: 'write',
  needsApp: true,
  query: Type.Object({
    status: Type.Optional(stringEnum(['approved'])),
    fid: Type.Optional(Fid),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SIGNERS, default: MAX_SIGNERS })),
  }),
  parameters: {
    status: { description: 'Only signers in this state; all unless given.' },
    fid: { description: 'Only signers that this account holds or held.' },
  },
  response: AppSignersResponse,
  errors: [400, 403],
  handle: async ({ query, caller }, { signers, publicUrl, addLocalKey }) => {
    const { status, fid, limit = MAX_SIGNERS } = query;
    const isApproved = status === 'approved';
    const found = await signers.listOf(caller.appId, { isApproved, fid, limit });
    return {
      signers: found.map((signer) => viewSigner(signer, publicUrl)),
      is_local: addLocalKey !== undefined,
    };
  },
});
