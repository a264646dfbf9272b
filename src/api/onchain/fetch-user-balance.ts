import { Protocol } from '@farcaster/core';
import Type from 'typebox';
import type { Address } from 'viem';
import { notFound } from '../../error.js';
import { userByFid } from '../../hydrate/user.js';
import { Fid } from '../../schema/fid.js';
import { BalanceResponse } from '../../schema/onchain/token-balance.js';
import type { UserDehydrated } from '../../schema/social/user-dehydrated.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectVerificationsWithApp } from '../../store/query/verification.js';
import { parseRendered } from '../../view/json.js';
import { viewUserDehydratedOf } from '../../view/user-dehydrated.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { splitNetworks, withPartial } from './partial-network.js';
import { viewAddressBalance } from './view-token-balance.js';

/** Unlike in other operations, robinhood is not supported. */
const USER_NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum'] as const;

/** Accounts may have thousands of verified addresses, of which only the newest are read. */
const MAX_ADDRESSES = 20;

export const fetchUserBalance = operation({
  id: 'fetch-user-balance',
  path: '/v2/social/user/balance/',
  tags: ['Onchain'],
  title: 'List balances of a user',
  summary: "Read token balances of a user's verified addresses, the newest 20 of them.",
  cost: { each: 20, of: 'networks' },
  waitsOutside: true,
  query: Type.Object({
    fid: Fid,
    networks: commaSeparated(stringEnum(USER_NETWORKS), { maxItems: 4, repeatable: true }),
  }),
  parameters: {
    fid: { description: 'The account whose verified addresses are looked at.', example: 1 },
    networks: { description: 'Networks to look at, separated by commas.', example: 'base' },
  },
  response: BalanceResponse,
  errors: [400, 404, 500],
  handle: async ({ query }, services) => {
    const { fid } = query;
    const { configured: networks, missing } = splitNetworks(query.networks, 'networks', services);
    const found = (await services.reads.open().get(userByFid, [fid])).get(fid);
    if (found === undefined) throw notFound(`No user has the FID ${fid}.`, 'fid');
    const verified = await selectVerificationsWithApp(services.db, fid);
    const addresses = verified
      .filter(({ protocol }) => protocol === Protocol.ETHEREUM)
      .slice(-MAX_ADDRESSES)
      .map(({ address }): Address => `0x${address}`);
    const { balances, partial } = await services.balances.read(addresses, networks);
    const answering = networks.filter((network) => !partial.includes(network));
    const address_balances = addresses.flatMap((address) =>
      answering.map((network) => viewAddressBalance(address, network, balances)),
    );
    const user = parseRendered(viewUserDehydratedOf(found)) as UserDehydrated;
    return withPartial({ user_balance: { object: 'user_balance' as const, user, address_balances } }, [
      ...partial,
      ...missing,
    ]);
  },
});
