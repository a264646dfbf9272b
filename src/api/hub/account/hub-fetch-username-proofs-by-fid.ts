import Type from 'typebox';
import { HubUsernameProofsResponse } from '../../../schema/hub/username.js';
import { selectUsernameProofsByFid } from '../../../store/hub/username-proof.js';
import { operation } from '../../http/operation.js';
import { fidQuery } from '../parameter.js';
import { renderedJson } from '../rendered-json.js';
import { usernameProofJson } from './username-proof.js';

export const hubFetchUsernameProofsByFid = operation({
  id: 'hub-fetch-username-proofs-by-fid',
  path: '/v1/userNameProofsByFid',
  tags: ['Hub Usernames'],
  title: 'List username proofs of an account',
  summary: 'List the username proofs of a FID.',
  cost: { fixed: 10 },
  query: Type.Object({ fid: fidQuery }),
  parameters: { fid: { description: 'The account whose names are proved.', example: 1 } },
  response: HubUsernameProofsResponse,
  handle: async ({ query }, { db }) => {
    const rows = await selectUsernameProofsByFid(db, query.fid);
    return renderedJson({ proofs: rows.map(usernameProofJson) });
  },
});
