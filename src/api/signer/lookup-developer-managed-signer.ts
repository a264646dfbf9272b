import Type from 'typebox';
import { DeveloperManagedSigner, Ed25519PublicKey } from '../../schema/social/signer.js';
import { KeyType, selectKeyStatus } from '../../store/access/signed-key-request.js';
import { operation } from '../http/operation.js';
import { viewDeveloperManagedSigner } from './view-developer-managed-signer.js';

export const lookupDeveloperManagedSigner = operation({
  id: 'lookup-developer-managed-signer',
  path: '/v2/social/signer/developer_managed/',
  tags: ['Signer'],
  title: 'Get a developer-managed signer',
  summary: 'Read the status of a signer whose private key the developer keeps.',
  cost: { fixed: 1 },
  needsApp: true,
  query: Type.Object({ public_key: Ed25519PublicKey }),
  parameters: {
    public_key: {
      description: 'Ed25519 public key of the signer, 0x and 64 hex digits.',
      example: '0x8d750be9a992a4414d02731eec5092948f82d0b05b72fa6f8a508af7af98d811',
    },
  },
  response: DeveloperManagedSigner,
  handle: async ({ query, caller }, { db, publicUrl, clock }) => {
    const key = Buffer.from(query.public_key.slice(2), 'hex');
    const row = await selectKeyStatus(db, key, KeyType.signer, caller.appId);
    return viewDeveloperManagedSigner(query.public_key, row, { publicUrl, now: clock() });
  },
});
