import type { Address } from 'viem';
import type { Balance } from '../../onchain/token/balance.js';
import { formatDecimal } from '../../onchain/token/decimal.js';
import type { Network } from '../../schema/onchain/network.js';
import type { AddressBalance, TokenBalance, WalletTokenBalance } from '../../schema/onchain/token-balance.js';

/** Wallets are read only on networks in this schema. */
const networkOf = ({ token }: Balance): Network => token.network as Network;

export const viewWalletTokenBalance = (balance: Balance): WalletTokenBalance => {
  const { token, amount, price, usd } = balance;
  return {
    network: networkOf(balance),
    address: token.address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    balance: amount.toString(),
    balance_usd: usd ? formatDecimal(usd) : null,
    price_usd: price ? formatDecimal(price.usd) : null,
    image_url: token.imageUrl,
  };
};

const viewTokenBalance = ({ token, amount, usd }: Balance): TokenBalance => ({
  object: 'token_balance',
  token: {
    object: 'token',
    name: token.name,
    symbol: token.symbol,
    address: token.address,
    decimals: token.decimals,
  },
  balance: {
    in_token: formatDecimal({ digits: amount, scale: token.decimals }),
    // The contract requires a text, and '0' would be wrong for an unknown value.
    in_usdc: usd ? formatDecimal(usd) : '',
  },
});

/** @param balances of several wallets on several networks, in the order of the response */
export const viewAddressBalance = (
  address: Address,
  network: Network,
  balances: readonly Balance[],
): AddressBalance => ({
  object: 'address_balance',
  verified_address: { address, network },
  token_balances: balances
    .filter((balance) => balance.wallet === address && networkOf(balance) === network)
    .map(viewTokenBalance),
});
