import Type from 'typebox';
import { notFound } from '../../../error.js';
import { HubUserNameProof } from '../../../schema/hub/username.js';
import { selectUsernameProofByName } from '../../../store/hub/username-proof.js';
import { operation } from '../../http/operation.js';
import { renderedJson } from '../rendered-json.js';
import { usernameProofJson } from './username-proof.js';

export const hubFetchUsernameProofByName = operation({
  id: 'hub-fetch-username-proof-by-name',
  path: '/v1/userNameProofByName',
  tags: ['Hub Usernames'],
  title: 'Get a username proof',
  summary: 'Read the proof of a username.',
  cost: { fixed: 2 },
  query: Type.Object({ name: Type.String({ minLength: 1 }) }),
  parameters: { name: { description: 'The name that is proved, like `harbor` or `alice.eth`.', example: 'harbor' } },
  response: HubUserNameProof,
  errors: [400, 404],
  handle: async ({ query: { name } }, { db }) => {
    const row = await selectUsernameProofByName(db, name);
    if (row === undefined) throw notFound(`Nobody has proven the name ${name}.`, 'name');
    return renderedJson(usernameProofJson(row));
  },
});
