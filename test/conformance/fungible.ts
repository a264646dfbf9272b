import { randomUUID } from 'node:crypto';
import { hexToBytes, toHex } from 'viem';
import { expect } from 'vitest';
import { someone } from '../support/nft.js';
import { FIDS } from '../support/seed.js';
import { balanceOf, mintToken } from '../support/token-environment.js';
import { type Case, casesOf } from './case.js';
import { ofPayer, type PayEnvironment } from './pay-environment.js';

/** The smallest GIF. */
const ONE_PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const UNKNOWN_ADDRESS = someone(9);

/** Stores a trade as the search for trades does (test/trade.test.ts searches them). */
const storeTrade = ({ nft, token, wallet }: PayEnvironment): Promise<unknown> =>
  nft.network.sql(
    `insert into trade (network, tx_hash, wallet, fid, block, block_hash, at, sold_token, bought_token, sold, bought,
                        sold_decimals, bought_decimals, usd, is_announced)
     values ('base', decode(repeat('ab', 32), 'hex'), $1, $2, 1, decode(repeat('cd', 32), 'hex'), now(),
             decode(repeat('ee', 20), 'hex'), $3, 500000000000000000, 2000000, 18, 6, 1250, true)
     on conflict do nothing`,
    [hexToBytes(wallet), FIDS.alice, hexToBytes(token)],
  );

/** Tokens: what is cast about them, who owns them, and sending them. */
export const fungibleCases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'fetch-fungibles',
    does: 'reads tokens by their CAIP-19 ids',
    call: ({ api }, { token }) => api.fetchFungibles({ fungibles: `eip155:8453/erc20:${token}` }),
    look: async ({ api }, { token }) => {
      const { fungibles } = await api.fetchFungibles({
        fungibles: `eip155:8453/erc20:${token}`,
        viewerFid: FIDS.bob,
      });
      expect(fungibles).toMatchObject([{ cast_count: 0, fungible: { symbol: 'TKN', address: token.toLowerCase() } }]);
    },
  },
  {
    id: 'fetch-relevant-fungible-owners',
    does: 'lists owners, those that the viewer follows if there is one',
    call: ({ api }, { token }) => api.fetchRelevantFungibleOwners({ contractAddress: token, network: 'base' }),
    look: async ({ api }, { token }) => {
      const asked = { contractAddress: token, network: 'base' } as const;
      const all = await api.fetchRelevantFungibleOwners(asked);
      expect(all.top_relevant_fungible_owners_hydrated.map(({ fid }) => fid)).toEqual([FIDS.alice]);
      expect(all.all_relevant_fungible_owners_dehydrated.map(({ fid }) => fid)).toEqual([FIDS.alice]);
      const followed = await api.fetchRelevantFungibleOwners({ ...asked, viewerFid: FIDS.bob });
      expect(followed.top_relevant_fungible_owners_hydrated).toMatchObject([
        { fid: FIDS.alice, viewer_context: { following: true } },
      ]);
    },
  },
  {
    id: 'fetch-bulk-relevant-fungible-owners',
    does: 'lists owners of several tokens by address',
    call: ({ api }, { token }) => api.fetchBulkRelevantFungibleOwners({ contractAddresses: [token], network: 'base' }),
    look: async ({ api }, { token }) => {
      const owners = await api.fetchBulkRelevantFungibleOwners({
        contractAddresses: [token, UNKNOWN_ADDRESS],
        network: 'base',
      });
      expect(owners[token]?.top_relevant_fungible_owners_hydrated.map(({ fid }) => fid)).toEqual([FIDS.alice]);
      expect(owners[UNKNOWN_ADDRESS]?.all_relevant_fungible_owners_dehydrated).toEqual([]);
      // Alice does not follow herself.
      const asked = { contractAddresses: [token], network: 'base', viewerFid: FIDS.alice } as const;
      const followed = await api.fetchBulkRelevantFungibleOwners({ ...asked, contractAddresses: [token] });
      expect(followed[token]?.all_relevant_fungible_owners_dehydrated).toEqual([]);
    },
  },
  {
    id: 'fetch-fungible-trades',
    does: 'lists trades of a token',
    call: ({ api }, { token }) => api.fetchFungibleTrades({ network: 'base', address: token }),
    look: async ({ api }, environment) => {
      const { token } = environment;
      await storeTrade(environment);
      const asked = { network: 'base', address: token } as const;
      const { trades } = await api.fetchFungibleTrades({ ...asked, timeWindow: '7d', minAmountUsd: 1 });
      expect(trades).toMatchObject([{ trader: { fid: FIDS.alice }, transaction: { network: { name: 'base' } } }]);
      const [{ transaction }] = trades as unknown as [{ transaction: { net_transfer: object } }];
      expect(transaction.net_transfer).toMatchObject({
        sending_fungible: { token: { symbol: 'ETH' }, balance: { in_token: '0.5', in_usd: 1250 } },
        receiving_fungible: { token: { symbol: 'TKN' }, balance: { in_token: '2' } },
      });
      expect((await api.fetchFungibleTrades({ ...asked, minAmountUsd: 1251 })).trades).toEqual([]);
    },
  },
  {
    id: 'fetch-trending-fungibles',
    does: 'lists what watched users bought',
    call: ({ api }) => api.fetchTrendingFungibles({ network: 'base' }),
    look: async ({ api }, environment) => {
      await storeTrade(environment);
      const { trending } = await api.fetchTrendingFungibles({ network: 'base', timeWindow: '7d' });
      expect(trending).toMatchObject([{ fungible: { symbol: 'TKN', price: { in_usd: '625' } } }]);
    },
  },
  {
    id: 'send-fungibles-to-users',
    does: 'sends the coin of the network and tokens, once for a key',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.sendFungiblesToUsers({
        network: 'base',
        recipients: [{ fid: FIDS.bob, amount: 0.25 }],
      }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      const { chain } = environment.nft;
      const { token } = environment;
      await mintToken(chain, token, environment.nft.payer.wallet.address, 2_000_000n);
      const request = {
        network: 'base' as const,
        fungibleContractAddress: token,
        recipients: [{ fid: FIDS.carol, amount: 1.25 }],
      };
      const first = await api.sendFungiblesToUsers(request);
      expect(first.send_receipts).toEqual([{ fid: FIDS.carol, amount: 1.25, status: 'sent' }]);
      expect(await api.sendFungiblesToUsers(request)).toEqual(first);
      const to = toHex(environment.seeded.carol.custody.address);
      expect(await balanceOf(chain, token, to)).toBe(1_250_000n);
    },
    errors: {
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        await api.sendFungiblesToUsers({ network: 'base', recipients: [{ fid: FIDS.bob, amount: 0.1 }] });
        return api.sendFungiblesToUsers({ network: 'base', recipients: [{ fid: FIDS.bob, amount: 0.2 }] });
      },
    },
  },
  {
    id: 'deploy-fungible',
    does: 'creates a token, once for a key',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.deployFungible({ name: 'Point', symbol: 'POINT', owner: someone(1) }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      const request = {
        name: 'Harbor Point',
        symbol: 'HARBOR',
        owner: someone(1),
        network: 'base' as const,
        metadataMedia: new File([ONE_PIXEL], 'point.gif', { type: 'image/gif' }),
        metadataDescription: 'Points of the harbor.',
        metadataNsfw: 'false' as const,
        metadataWebsiteLink: 'https://harbor.example',
        metadataTwitter: 'harbor',
        metadataDiscord: 'harbor',
        metadataTelegram: 'harbor',
      };
      const first = await api.deployFungible(request);
      expect(await api.deployFungible(request)).toEqual(first);
      const { address } = (first as unknown as { contract: { fungible: { address: `0x${string}` } } }).contract
        .fungible;
      expect(await balanceOf(environment.nft.chain, address, someone(1))).toBe(10n ** 27n);
      const other = { ...request, factory: 'launchpad_a' as never };
      await expect(api.deployFungible(other)).rejects.toMatchObject({ response: { status: 400 } });
    },
    errors: {
      // As JSON, the usual malformed request would be a 415.
      400: (clients, environment) =>
        ofPayer(clients, environment).api.deployFungible({ name: 'Point', symbol: 'POINT', owner: 'nobody' }),
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        await api.deployFungible({ name: 'Point', symbol: 'POINT', owner: someone(1) });
        return api.deployFungible({ name: 'Other', symbol: 'POINT', owner: someone(1) });
      },
    },
  },
);
