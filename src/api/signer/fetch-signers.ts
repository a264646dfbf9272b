import Type from 'typebox';
import { SignerListResponse } from '../../schema/social/signer.js';
import { readSignIn } from '../../sign-in/login.js';
import { operation } from '../http/operation.js';
import { viewSigner } from './view-signer.js';

/** 0x and 65 bytes. */
const KEY_SIGNATURE_LENGTH = 132;

export const fetchSigners = operation({
  id: 'fetch-signers',
  path: '/v2/social/signer/list/',
  tags: ['Signer'],
  title: 'List signers of an account',
  summary: "List the calling app's signers that the accounts of an address hold or held; the address signs in for it.",
  cost: { fixed: 2 },
  needsApp: true,
  // A contract wallet is asked on its chain; the signature of a key has 132 characters.
  waitsOutside: ({ signature }: Readonly<Record<string, unknown>>) =>
    typeof signature === 'string' && signature.length > KEY_SIGNATURE_LENGTH,
  query: Type.Object({
    message: Type.String(),
    signature: Type.String(),
  }),
  parameters: {
    message: {
      description:
        'A message of Sign-In with Ethereum (EIP-4361), URL-encoded; on the local network `castellan account sign-in` makes one.',
    },
    signature: {
      description: "The wallet's signature over the message: 0x and 130 hex digits, or more by a contract wallet.",
    },
  },
  response: SignerListResponse,
  errors: [400, 401, 500],
  handle: async ({ query, caller }, { db, networks, signers, publicUrl, clock }) => {
    const fids = await readSignIn({ db, networks }, caller.appId, query, clock());
    const list = await signers.list(caller.appId, fids);
    return { signers: list.map((signer) => viewSigner(signer, publicUrl)) };
  },
});
