import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { invalidField } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { EthAddress } from '../../schema/address.js';
import { EXAMPLE_VERIFIED_ADDRESS } from '../../schema/example.js';
import { Network } from '../../schema/onchain/network.js';
import { WalletBalancesResponse, type WalletTokenBalance } from '../../schema/onchain/token-balance.js';
import { BALANCE_LIST_MS, insertBalanceList, selectBalanceList } from '../../store/onchain/balance-list.js';
import { commaSeparated } from '../http/comma-separated.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { splitNetworks, withPartial } from './partial-network.js';
import { viewWalletTokenBalance } from './view-token-balance.js';

const id = 'get-wallet-balances';

/** The id of the stored list, and the number of its items that were sent. */
const list = { operationId: id, sortKey: Type.Object({ list: Type.String(), sent: Type.Integer() }) };

const MAX_NETWORKS = 5;

const outdated = () =>
  invalidField('cursor', 'cursor is older than 60 s, and prices have moved: read the first page again, without cursor');

export const getWalletBalances = operation({
  id,
  path: '/v2/onchain/token/balances',
  tags: ['Onchain'],
  title: 'List balances of a wallet',
  summary: 'List the token balances of a wallet across networks, the most valuable first.',
  cost: { each: 10, of: 'networks' },
  waitsOutside: true,
  query: Type.Object({
    networks: commaSeparated(Network, { maxItems: MAX_NETWORKS }),
    address: EthAddress,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 50 }),
    cursor: Type.Optional(Type.String()),
  }),
  parameters: {
    networks: { description: 'Networks to look at, separated by commas.', example: 'base' },
    address: { description: 'The Ethereum address whose tokens are listed.', example: EXAMPLE_VERIFIED_ADDRESS },
  },
  response: WalletBalancesResponse,
  errors: [400, 500],
  handle: async ({ query, caller }, services) => {
    const { db, clock, cursorKey } = services;
    const { configured: networks, missing } = splitNetworks(query.networks, 'networks', services);
    const address = checkedAddress(query.address, 'address');
    const filters = { networks: [...networks].sort(), address, app: caller.appId };
    const after = decodeCursor(cursorKey, list, filters, query.cursor);

    const answer = (
      items: readonly WalletTokenBalance[],
      partial: readonly string[],
      place: { readonly firstPageTime: number; readonly list: string; readonly sent: number },
    ) => {
      const sent = place.sent + query.limit;
      const page = { firstPageTime: place.firstPageTime, sortKey: { list: place.list, sent } };
      const cursor = sent < items.length ? encodeCursor(cursorKey, list, filters, page) : null;
      return withPartial({ balances: items.slice(place.sent, sent), next: { cursor } }, partial);
    };

    if (after !== undefined) {
      const kept = await selectBalanceList(db, after.sortKey.list, new Date(clock() - BALANCE_LIST_MS));
      if (kept === undefined) throw outdated();
      const items = JSON.parse(kept.items) as WalletTokenBalance[];
      return answer(items, kept.partial, { firstPageTime: after.firstPageTime, ...after.sortKey });
    }
    const read = await services.balances.read([address], networks);
    const { balances } = read;
    const partial = [...read.partial, ...missing];
    const items = balances.map(viewWalletTokenBalance);
    const place = { firstPageTime: clock(), list: randomUUID(), sent: 0 };
    if (items.length > query.limit) {
      const kept = { items: JSON.stringify(items), partial };
      await insertBalanceList(db, place.list, kept, new Date(place.firstPageTime));
    }
    return answer(items, partial, place);
  },
});
