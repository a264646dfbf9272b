import { AddressRole } from '../protocol/verification.js';
import { type RowOf, readQuery } from '../query-function.js';
import type { StpChain } from './chain.js';

/** A subscription contract of the index; `contract` has 40 hex digits, `artUrl` is its picture, null: none is known. */
export type StpContractRow = RowOf<'stp_contract_by_owner'>;

/**
 * A token with the contract that made it: `tokenId` is decimal, `account` (40 hex digits) has it, and it was minted at
 * `mintedAt`.
 */
export type StpTokenRow = RowOf<'stp_token_by_account'>;

const ZERO = `'\\x0000000000000000000000000000000000000000'::bytea`;
const CONTRACT = `c.network, c.chain_id as "chainId", encode(c.address, 'hex') as "contract!", c.name as "name!", c.symbol as "symbol!", c.art_url as "artUrl"`;
const CHAINS = `(c.network, c.chain_id) in (select * from unnest(:networks::text[], :chainIds::bigint[]))`;
const SAME_TOKEN = (one: string, other: string): string =>
  `${one}.network = ${other}.network and ${one}.chain_id = ${other}.chain_id
   and ${one}.contract = ${other}.contract and ${one}.token_id = ${other}.token_id`;
/** Condition for the latest transfer of a token (as `t`): its recipient has the token. */
const IS_LATEST = `not exists (select from stp_transfer later where ${SAME_TOKEN('later', 't')}
                     and (later.block, later.log_index) > (t.block, t.log_index))`;
const MINTED = `cross join lateral (
       select min(f.at) as at from stp_transfer f where ${SAME_TOKEN('f', 't')}
     ) minted`;
const TOKEN = `t.token_id::text as "tokenId!", encode(t.recipient, 'hex') as "account!", minted.at as "mintedAt!"`;

/** Condition: an address belongs to a known account, without which no token is listed. Anybody can give tokens away. */
const hasAccount = (address: string): string => `exists (
        select from address_owner o join account a on a.fid = o.fid
         where o.address = ${address} and o.role in (${AddressRole.custody}, ${AddressRole.verified}))`;

const chainParams = (chains: readonly StpChain[]) => ({
  networks: chains.map(({ network }) => network),
  chainIds: chains.map(({ chainId }) => chainId),
});

/**
 * @param accounts 40 hex digits each
 * @returns the tokens that accounts have, the latest minted first
 */
export const selectStpTokensOf = readQuery(
  'stp_token_by_account',
  `select ${CONTRACT}, ${TOKEN}
     from stp_transfer t
     join stp_contract c on c.network = t.network and c.chain_id = t.chain_id and c.address = t.contract
     ${MINTED}
    where t.recipient = any(array(select decode(unnest(:accounts::text[]), 'hex'))) and t.recipient <> ${ZERO}
      and ${CHAINS} and ${IS_LATEST} and ${hasAccount('c.owner')}
    order by minted.at desc, t.block desc, t.log_index desc, c.network, c.address, t.token_id
    limit :limit`,
).rows((chains: readonly StpChain[], accounts: readonly string[], limit: number) => ({
  ...chainParams(chains),
  accounts,
  limit,
}));

/**
 * @param owners 40 hex digits each
 * @returns the contracts that belonged to them when they were last read, the latest deployed first on each network
 */
export const selectStpContractsOf = readQuery(
  'stp_contract_by_owner',
  `select ${CONTRACT} from stp_contract c
    where c.owner = any(array(select decode(unnest(:owners::text[]), 'hex'))) and ${CHAINS}
    order by c.block desc, c.network, c.address
    limit :limit`,
).rows((chains: readonly StpChain[], owners: readonly string[], limit: number) => ({
  ...chainParams(chains),
  owners,
  limit,
}));

/** @returns the tokens of contracts that addresses of known accounts have, the latest minted first */
export const selectStpTokensIn = readQuery(
  'stp_token_by_contract',
  `select ${CONTRACT}, ${TOKEN}
     from unnest(:networks::text[], :chainIds::bigint[], :contracts::text[]) as k (network, chain_id, address)
     join stp_contract c on c.network = k.network and c.chain_id = k.chain_id and c.address = decode(k.address, 'hex')
     join stp_transfer t on t.network = c.network and t.chain_id = c.chain_id and t.contract = c.address
     ${MINTED}
    where t.recipient <> ${ZERO} and ${IS_LATEST}
      and ${hasAccount('t.recipient')}
    order by minted.at desc, t.block desc, t.log_index desc, c.network, c.address, t.token_id
    limit :limit`,
).rows((contracts: readonly StpContractRow[], limit: number) => ({
  networks: contracts.map((row) => row.network),
  chainIds: contracts.map((row) => row.chainId),
  contracts: contracts.map((row) => row.contract),
  limit,
}));

/**
 * @param contract 40 hex digits, as are the accounts
 * @returns the indexed tokens that the accounts have
 */
export const selectStpMints = readQuery(
  'stp_mint_time',
  `select ${TOKEN}
     from stp_transfer t
     ${MINTED}
    where t.network = :network and t.chain_id = :chainId and t.contract = decode(:contract, 'hex')
      and t.recipient = any(array(select decode(unnest(:accounts::text[]), 'hex'))) and ${IS_LATEST}`,
).rows(({ network, chainId }: StpChain, contract: string, accounts: readonly string[]) => ({
  network,
  chainId,
  contract,
  accounts,
}));
