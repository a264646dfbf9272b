import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';

const time = Type.String({ format: 'date-time' });
const address = Type.String({ description: '0x and 40 hex digits.' });

/** Own extension: a wallet of the calling organization, without its key. */
export const PortalWallet = namedObject('PortalWallet', {
  wallet_id: Type.String({ format: 'uuid', description: 'For the header `x-wallet-id`.' }),
  name: Type.String(),
  address,
  open_transactions: Type.Integer({ minimum: 0, description: 'Sent, or about to be, and in no block yet.' }),
  created_at: time,
});

export const PortalWalletsResponse = namedObject('PortalWalletsResponse', {
  wallets: Type.Array(PortalWallet, { description: 'Oldest first.' }),
  networks: Type.Array(Type.String(), { description: 'Networks whose nodes the service knows.' }),
});

/** Own extension: a collection of NFTs that the calling organization deployed or gives metadata for. */
export const PortalCollection = namedObject('PortalCollection', {
  collection_id: Type.String({ format: 'uuid' }),
  network: Type.String(),
  address: nullable(Type.String({ description: '0x and 40 hex digits; null until it is known.' })),
  name: nullable(Type.String()),
  symbol: nullable(Type.String()),
  wallet_id: Type.String({ format: 'uuid' }),
  wallet_address: address,
  state: stringEnum(['deployed', 'pending', 'failed', 'elsewhere'], {
    description:
      'pending: its transaction is in no block yet; failed: it was refused or reverted; elsewhere: another program deployed it, and this service has metadata for it.',
  }),
  created_at: time,
});
export type PortalCollection = Static<typeof PortalCollection>;

export const PortalCollectionsResponse = namedObject('PortalCollectionsResponse', {
  collections: Type.Array(PortalCollection, { description: 'Newest first.' }),
});
