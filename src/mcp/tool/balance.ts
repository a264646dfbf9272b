import Type from 'typebox';
import { CallError, read } from '../call.js';
import { choice, cursor, fid, input, limit, optional } from '../input.js';
import { listPages } from '../list.js';
import { listResult, pageOfAll } from '../result.js';
import { readTool } from '../tool.js';

interface OfUser {
  readonly user_balance: {
    readonly address_balances: readonly {
      readonly verified_address: { readonly address: string; readonly network: string };
      readonly token_balances: readonly {
        readonly token: { readonly name: string; readonly symbol: string; readonly address?: string };
        readonly balance: { readonly in_token: string; readonly in_usdc: string };
      }[];
    }[];
  };
}

interface OfWallet {
  readonly network: string;
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly balance: string;
  readonly balance_usd: string | null;
}

const NETWORKS = ['ethereum', 'optimism', 'base', 'arbitrum'] as const;

export const readBalances = readTool({
  name: 'read_balances',
  title: 'Read token balances',
  description:
    'Read token balances of the verified addresses of a person (fid), or of one Ethereum address. Anybody can name a token as they like: tell tokens apart by their address.',
  input: input({
    fid: optional(fid('The person; or send address.')),
    address: optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'An Ethereum address.' })),
    networks: Type.Array(choice(NETWORKS, 'A network.'), { minItems: 1, maxItems: 4, description: 'Where to look.' }),
    limit: optional(limit(25, 15)),
    cursor: optional(cursor),
  }),
  run: ({ fid: account, address, networks, limit: most = 15, cursor: after }, call) => {
    if ((account === undefined) === (address === undefined))
      throw new CallError(400, 'InvalidField', 'Send either fid or address.');
    if (address !== undefined)
      return listPages({
        call,
        path: '/v2/onchain/token/balances',
        query: { networks, address, cursor: after },
        itemsOf: (body: { readonly balances: readonly OfWallet[] }) => body.balances,
        limit: most,
        view: ({ network, address: token, name, symbol, decimals, balance, balance_usd }, cut) => ({
          ...{ network, token, decimals, smallest_units: balance, usd: balance_usd ?? undefined },
          ...{ name: cut(name), symbol: cut(symbol) },
        }),
        what: 'balances',
      });
    return listResult({
      load: async (count) => {
        const body = await read<OfUser>(call, '/v2/social/user/balance/', { fid: account, networks });
        const all = body.user_balance.address_balances.flatMap(({ verified_address: owner, token_balances }) =>
          token_balances.map((one) => ({ ...one, owner })),
        );
        return pageOfAll(all, after, count);
      },
      limit: most,
      view: ({ owner, token, balance }, cut) => ({
        ...{ owner: owner.address, network: owner.network, token: token.address },
        ...{
          name: cut(token.name),
          symbol: cut(token.symbol),
          amount: balance.in_token,
          usd: balance.in_usdc || undefined,
        },
      }),
      what: 'balances',
    });
  },
});
