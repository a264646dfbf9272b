import Type from 'typebox';
import { SignerListResponse } from '../../schema/social/signer.js';
import { readSignIn } from '../../signer/sign-in.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

export const fetchSigners = operation({
  id: 'fetch-signers',
  path: '/v2/social/signer/list/',
  tags: ['Signer'],
  title: 'List signers of an account',
  summary: "List the calling app's signers that the accounts of an address hold or held; the address signs in for it.",
  cost: { fixed: 2 },
  needsApp: true,
  query: Type.Object({
    message: Type.String(),
    signature: Type.String(),
  }),
  parameters: {
    message: {
      description:
        'A message of Sign-In with Ethereum (EIP-4361), URL-encoded; on the local network `castellan account sign-in` makes one.',
    },
    signature: { description: "The wallet's signature over the message, 0x and 130 hex digits." },
  },
  response: SignerListResponse,
  errors: [400, 401, 500],
  handle: async ({ query, caller }, { db, signers, publicUrl, clock }) => {
    const fids = await readSignIn(db, caller.appId, query, clock());
    const list = await signers.list(caller.appId, fids);
    return { signers: list.map((signer) => viewSigner(signer, publicUrl)) };
  },
});
