import { toHex } from '../../hex.js';
import { PortalWalletsResponse } from '../../schema/portal/wallet.js';
import { countOpenTransactions, selectWallets } from '../../store/onchain/wallet.js';
import { operation } from '../http/operation.js';

export const listWallets = operation({
  id: 'list-wallets',
  path: '/portal/wallets',
  tags: ['portal'],
  title: 'List wallets of the organization',
  summary: 'List the wallets that the service keeps for the calling organization, without their keys.',
  cost: { fixed: 0 },
  // It reads which networks are configured, and asks none of them.
  waitsOutside: () => false,
  scope: 'wallet',
  response: PortalWalletsResponse,
  errors: [400, 403],
  handle: async ({ caller: { organizationId } }, { db, networks }) => {
    const wallets = await selectWallets(db, organizationId);
    const open = await countOpenTransactions(
      db,
      wallets.map(({ id }) => id),
    );
    return {
      wallets: wallets.map(({ id, name, address, createdAt }) => ({
        wallet_id: id,
        name,
        address: toHex(address),
        open_transactions: open.find(({ walletId }) => walletId === id)?.count ?? 0,
        created_at: createdAt.toISOString(),
      })),
      networks: [...networks.configured],
    };
  },
});
