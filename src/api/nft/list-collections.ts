import Type from 'typebox';
import { toHex } from '../../hex.js';
import { type PortalCollection, PortalCollectionsResponse } from '../../schema/portal/wallet.js';
import { selectCollectionsOf } from '../../store/onchain/collection.js';
import { operation } from '../http/operation.js';

const MAX_ROWS = 100;

interface Deployment {
  readonly isDeployedHere: boolean;
  readonly state: string | null;
  readonly succeeded: boolean | null;
}

const stateOf = ({ isDeployedHere, state, succeeded }: Deployment): PortalCollection['state'] => {
  if (!isDeployedHere) return 'elsewhere';
  if (state === 'refused' || succeeded === false) return 'failed';
  return state === 'mined' ? 'deployed' : 'pending';
};

export const listCollections = operation({
  id: 'list-collections',
  path: '/portal/collections',
  tags: ['portal'],
  title: 'List collections of the organization',
  summary: 'List the newest NFT collections that the calling organization deployed or gives metadata for.',
  cost: { fixed: 0 },
  scope: 'wallet',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Collections of the list.' }),
    ),
  }),
  response: PortalCollectionsResponse,
  errors: [400, 403],
  handle: async ({ query: { limit = MAX_ROWS }, caller: { organizationId } }, { db }) => {
    const found = await selectCollectionsOf(db, organizationId, limit);
    return {
      collections: found.map((row) => ({
        collection_id: row.id,
        network: row.network,
        address: row.address === null ? null : toHex(row.address),
        name: row.name,
        symbol: row.symbol,
        wallet_id: row.walletId,
        wallet_address: toHex(row.walletAddress),
        state: stateOf(row),
        created_at: row.createdAt.toISOString(),
      })),
    };
  },
});
