import { bytesToHex } from 'viem';
import type { User } from '../../hydrate/user.js';
import { formatDecimal } from '../../onchain/token/decimal.js';
import type { TokenProperties } from '../../onchain/token/metadata.js';
import type { FungibleBalance } from '../../schema/onchain/fungible.js';
import type { FungibleTrade } from '../../schema/onchain/fungible-trade.js';
import type { UserDehydrated } from '../../schema/social/user-dehydrated.js';
import type { TradeRow } from '../../store/onchain/trade.js';
import { parseRendered } from '../../view/json.js';
import { viewUserDehydratedOf } from '../../view/user-dehydrated.js';
import { viewFungible } from './view-fungible.js';

interface Shown {
  readonly trader: User | undefined;
  /** By address. */
  readonly tokens: ReadonlyMap<string, TokenProperties>;
}

/** @returns undefined if the trader is not stored, or a token's contract does not answer any more */
export const viewTrade = (row: TradeRow, { trader, tokens }: Shown): FungibleTrade | undefined => {
  const [sold, bought] = [tokens.get(bytesToHex(row.soldToken)), tokens.get(bytesToHex(row.boughtToken))];
  if (!trader || !sold || !bought) return undefined;
  const balance = (token: TokenProperties, amount: string, decimals: number): FungibleBalance => ({
    object: 'fungible_balance',
    token: viewFungible(token),
    balance: { in_token: formatDecimal({ digits: BigInt(amount), scale: decimals }), in_usd: row.usd },
  });
  const { pool, poolFamily, poolVersion } = row;
  return {
    object: 'trade',
    trader: parseRendered(viewUserDehydratedOf(trader)) as UserDehydrated,
    ...(pool && {
      pool: {
        object: 'pool',
        address: bytesToHex(pool),
        ...(poolFamily !== null && { protocol_family: poolFamily }),
        ...(poolVersion !== null && { protocol_version: poolVersion }),
      },
    }),
    transaction: {
      hash: bytesToHex(row.txHash),
      network: { object: 'network', name: row.network },
      net_transfer: {
        object: 'net_transfer',
        sending_fungible: balance(sold, row.sold, row.soldDecimals),
        receiving_fungible: balance(bought, row.bought, row.boughtDecimals),
      },
    },
  };
};
