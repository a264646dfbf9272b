import Type from 'typebox';
import type { Address } from 'viem';
import { invalidField } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { NETWORKS, type Network, PUBLIC_CHAINS } from '../../onchain/network.js';
import { EXAMPLE_TOKEN } from '../../schema/example.js';
import { FungiblesResponseSchema } from '../../schema/onchain/fungible.js';
import { selectCommentCounts } from '../../store/query/token-comment.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { withPartial } from '../onchain/partial-network.js';
import { viewFungible } from './view-fungible.js';

const MAX_TOKENS = 100;

/** A token by its CAIP-19 id, https://github.com/ChainAgnostic/CAIPs/blob/main/CAIPs/caip-19.md. */
const TOKEN_ID = /^eip155:(\d{1,15})\/erc20:(0x[0-9a-f]{40})$/i;

const NETWORK_OF: ReadonlyMap<number, Network> = new Map(
  // A test network is in no response of this operation.
  NETWORKS.filter((network) => network !== 'base-sepolia').map((network) => [PUBLIC_CHAINS[network].id, network]),
);

interface TokenId {
  /** Lower case. */
  readonly id: string;
  readonly network: Network;
  readonly address: Address;
}

/** @throws AppError invalid that names the entry */
const readTokenId = (text: string): TokenId => {
  const [, chainId, address] = TOKEN_ID.exec(text) ?? [];
  if (chainId === undefined || address === undefined) {
    throw invalidField('fungibles', `fungibles: "${text}" is not of the form eip155:<chain id>/erc20:<address>.`);
  }
  const network = NETWORK_OF.get(Number(chainId));
  if (network === undefined) {
    const known = [...NETWORK_OF.keys()].join(', ');
    throw invalidField('fungibles', `fungibles: the chain of "${text}" is not one of ${known}.`);
  }
  const checked = checkedAddress(address, 'fungibles');
  return { id: `eip155:${Number(chainId)}/erc20:${checked}`, network, address: checked };
};

export const fetchFungibles = operation({
  id: 'fetch-fungibles',
  path: '/v2/social/fungibles/',
  tags: ['Onchain'],
  title: 'Get tokens with their casts',
  summary: 'Read tokens by their CAIP-19 ids, with the number of casts about them.',
  cost: { each: 2, of: 'fungibles' },
  waitsOutside: true,
  headers: experimentalHeader,
  query: Type.Object({
    fungibles: commaSeparated(Type.String(), {
      maxItems: MAX_TOKENS,
    }),
    viewer_fid: Type.Optional(Type.Number({ description: 'Casts of accounts hidden from this user do not count.' })),
  }),
  parameters: {
    fungibles: {
      description: 'CAIP-19 ids, `eip155:<chain id>/erc20:<address>`, separated by commas; at most 100.',
      example: `eip155:8453/erc20:${EXAMPLE_TOKEN}`,
    },
  },
  response: FungiblesResponseSchema,
  errors: [400, 500],
  handle: async ({ query, caller }, services) => {
    const { db, networks, tokenMetadata } = services;
    const { viewer_fid: viewer = null } = query;
    if (viewer !== null && !(Number.isSafeInteger(viewer) && viewer > 0)) {
      throw invalidField('viewer_fid', 'viewer_fid must be an integer of 1 or more');
    }
    const tokens = [...new Map(query.fungibles.map(readTokenId).map((token) => [token.id, token])).values()];
    for (const { network } of tokens) networks.client(network, 'fungibles');
    const [{ facts, partial }, counts] = await Promise.all([
      tokenMetadata.read(tokens),
      selectCommentCounts(
        db,
        tokens.map(({ id }) => id),
        { appId: caller.appId, viewer },
      ),
    ]);
    const fungibles = tokens.flatMap(({ id }, index) => {
      const found = facts[index];
      if (found === undefined) return [];
      return [{ object: 'social_fungible' as const, fungible: viewFungible(found), cast_count: counts.get(id) ?? 0 }];
    });
    return withPartial({ fungibles }, partial);
  },
});
