import { expect } from 'vitest';
import { someone } from '../support/nft.js';
import { FIDS } from '../support/seed.js';
import { type Case, casesOf } from './case.js';
import { walk } from './page.js';
import type { PayEnvironment } from './pay-environment.js';

const UNKNOWN_ADDRESS = someone(9);

/** What wallets and tokens are on the chain. */
export const onchainCases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'fetch-user-balance',
    does: 'reads what the addresses of a user hold',
    call: ({ api }) => api.fetchUserBalance({ fid: FIDS.alice, networks: ['base'] }),
    look: async ({ api }, { wallet }) => {
      const { user_balance: balance } = await api.fetchUserBalance({ fid: FIDS.alice, networks: ['base'] });
      const [first] = balance?.address_balances ?? [];
      expect(first?.verified_address).toEqual({ address: wallet, network: 'base' });
      const held = first?.token_balances.map(({ token, balance: one }) => [token.symbol, one.in_token]);
      expect(held).toEqual(
        expect.arrayContaining([
          ['TKN', '1.5'],
          ['ETH', '2'],
        ]),
      );
    },
    errors: { 404: ({ api }) => api.fetchUserBalance({ fid: 99_999, networks: ['base'] }) },
  },
  {
    id: 'get-wallet-balances',
    does: 'lists what a wallet holds, page by page',
    call: ({ api }, { wallet }) => api.getWalletBalances({ networks: ['base'], address: wallet }),
    look: async ({ api }, { wallet }) => {
      const seen = await walk(
        (cursor) => api.getWalletBalances({ networks: ['base'], address: wallet, limit: 1, ...(cursor && { cursor }) }),
        ({ balances }) => balances.map(({ symbol, balance }) => `${symbol} ${balance}`),
      );
      expect([...seen].sort()).toEqual(['ETH 2000000000000000000', 'TKN 1500000']);
    },
  },
  {
    id: 'get-token-metadata',
    does: 'reads one token',
    // The client's method names two parameters that its own request then lacks; with `networks` and `addresses` it sends neither.
    call: ({ plain }, { token }) => plain('GET', `/v2/onchain/token/metadata?network=base&address=${token}`),
    look: async ({ plain }, { token }) => {
      const { body } = await plain('GET', `/v2/onchain/token/metadata?network=base&address=${token}`);
      expect(body.token).toMatchObject({ symbol: 'TKN', address: token.toLowerCase() });
    },
    errors: { 404: ({ plain }) => plain('GET', `/v2/onchain/token/metadata?network=base&address=${UNKNOWN_ADDRESS}`) },
  },
  {
    id: 'batch-get-token-metadata',
    does: 'reads several tokens, unknown ones as null',
    call: ({ api }, { token }) => api.batchGetTokenMetadata({ networks: ['base'], addresses: [token] }),
    look: async ({ api }, { token }) => {
      const { tokens } = await api.batchGetTokenMetadata({
        networks: ['base', 'base'],
        addresses: [token, UNKNOWN_ADDRESS],
      });
      expect(tokens).toMatchObject([{ symbol: 'TKN' }, null]);
    },
  },
);
