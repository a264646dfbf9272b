import { Signer } from '../../schema/social/signer.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const createSigner = operation({
  id: 'create-signer',
  method: 'POST',
  path: '/v2/social/signer/',
  tags: ['Signer'],
  title: 'Create a signer',
  summary: 'Create a signer: a key pair kept here, sealed, that the calling app may use once an account approved it.',
  cost: { fixed: 10 },
  response: Signer,
  errors: [500],
  handle: async ({ caller }, { signers, publicUrl }) => viewSigner(await signers.create(caller.appId), publicUrl),
});
