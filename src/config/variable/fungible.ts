import { integer } from '../parse.js';
import { byProfile, variable } from '../variable-row.js';
import { DEVELOPMENT_WALLET_ID, walletId } from '../wallet-id.js';

/** Variables of tokens that this service deploys. */
export const FUNGIBLE_VARIABLES = {
  CASTELLAN_TOKEN_DEPLOYER_WALLET: byProfile<string | undefined>(
    walletId,
    { dev: DEVELOPMENT_WALLET_ID, serve: undefined },
    'Wallet that pays for tokens which apps deploy without a wallet of their own (`POST /v2/fungible/`).',
  ),
  CASTELLAN_TOKEN_DEPLOYMENTS: variable(
    integer(0, 1_000_000),
    10,
    'Tokens that an app may deploy a day (24 hours) from that wallet.',
  ),
  CASTELLAN_TRADE_WALLETS: variable(
    integer(0, 100_000),
    2000,
    'Wallets whose trades are found on each network with `CASTELLAN_RPC_*`: the verified addresses of the accounts with the highest scores. Each 500 of them cost three requests for events a round. 0: trades are not looked for.',
  ),
  CASTELLAN_TRADE_SECONDS: byProfile(
    integer(1, 3600),
    { dev: 2, serve: 60 },
    'Time between two rounds of that search.',
  ),
};
