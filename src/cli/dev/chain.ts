import { bytesToHex, keccak256, stringToBytes, zeroAddress } from 'viem';
import { DEFAULT_ORGANIZATION_ID } from '../../access/key.js';
import type { App } from '../../app.js';
import type { Config } from '../../config/config.js';
import { DEVELOPMENT_WALLET_ID } from '../../config/wallet-id.js';
import { AppError } from '../../error.js';
import { type LocalChain, type LocalClient, localClient } from '../../onchain/local/chain.js';
import { installMarket } from '../../onchain/local/market.js';
import { registerLocalAccounts } from '../../onchain/local/registry.js';
import { reopenDroppedTransactions } from '../../onchain/local/reorg.js';
import { fillLocalChain } from '../../onchain/local/seed.js';
import type { StateOrigin } from '../../onchain/local/state.js';
import { installSubscriptions } from '../../onchain/local/subscription.js';
import { LOCAL_CHAIN_ID, NETWORKS } from '../../onchain/network.js';
import { makeWallet, type UsableWallet } from '../../onchain/transaction/wallet.js';
import {
  selectHighestFid,
  selectRegisteredAccounts,
  selectVerifiedAddresses,
} from '../../store/onchain/local-chain.js';
import { selectWallet } from '../../store/onchain/wallet.js';
import type { Output } from '../terminal/output.js';

/** A key that is public knowledge: what the wallet owns must be worthless. */
const walletKey = (): Uint8Array => keccak256(stringToBytes('castellan development wallet'), 'bytes');

const MAX_HOLDERS = 12;
/** Accounts that own the subscription contracts of the local chain, or subscribe to them. */
const MAX_SUBSCRIBERS = 12;
/** The first search of a new chain takes a fraction of that. */
const INDEX_MS = 5000;
/** The sample network has fewer accounts; those of a public network do not fit into a local chain. */
const MAX_ACCOUNTS = 2000;
/** Fids of the interface have 31 bits. Higher ones, as that of the development app, leave none to new accounts. */
const FID_LIMIT = 2_000_000_000;

/** What is printed about the chain. */
export interface DevelopmentChain {
  readonly url: string;
  readonly chainId: number;
  readonly wallet: UsableWallet;
  /** A network without endpoints, for which the chain is used, and on which collections can be deployed. */
  readonly deployNetwork: string | undefined;
}

const requireWallet = async (app: App, config: Config): Promise<UsableWallet> => {
  const { db, wallets } = app.services;
  if (!(await selectWallet(db, DEVELOPMENT_WALLET_ID))) {
    const wallet = {
      id: DEVELOPMENT_WALLET_ID,
      organizationId: DEFAULT_ORGANIZATION_ID,
      name: 'development',
      key: walletKey(),
    };
    await makeWallet(db, config.masterKey, { ...wallet, now: new Date() });
  }
  return wallets.use(DEFAULT_ORGANIZATION_ID, DEVELOPMENT_WALLET_ID);
};

/**
 * Registers the accounts of the database, so that their owners can sign for them on the local chain, and gives the first
 * ones subscriptions.
 */
const registerAccounts = async (client: LocalClient, db: App['services']['db']): Promise<void> => {
  const [accounts, highestFid] = await Promise.all([
    selectRegisteredAccounts(db, MAX_ACCOUNTS),
    selectHighestFid(db, FID_LIMIT),
  ]);
  const registered = accounts.map(({ fid, custody, recovery }) => ({
    fid,
    custody: bytesToHex(custody),
    recovery: recovery?.length === 20 ? bytesToHex(recovery) : zeroAddress,
  }));
  await registerLocalAccounts(client, registered, highestFid);
  const custodies = new Set(registered.map(({ custody }) => custody));
  custodies.delete(zeroAddress);
  await installSubscriptions(client, [...custodies].slice(0, MAX_SUBSCRIBERS));
};

const printOrigin = (output: Output, origin: StateOrigin): void => {
  if (origin.kind !== 'spoiled') return;
  const what = origin.isNew ? 'It begins anew' : 'It goes on from an older state';
  output.note(
    `The state of the local chain could not be read. ${what}; what was there is in ${origin.files.join(', ')}.`,
  );
};

const printLoss = (output: Output, lost: number): void => {
  if (lost === 0) return;
  const [count, they] = lost === 1 ? ['One transaction', 'It is'] : [`${lost} transactions`, 'They are'];
  output.note(
    `${count} that the database knows of ${lost === 1 ? 'is' : 'are'} not on the local chain: its state was lost, or is older. ${they} sent again, so that collections come back at their addresses; what was done past this service is gone.`,
  );
};

/**
 * Deploys contracts and tokens, registers accounts and funds a wallet. Prints what was lost.
 * @returns undefined, after printing why, if the chain does not run
 */
export const prepareLocalChain = async (
  chain: LocalChain,
  app: App,
  config: Config,
  output: Output,
): Promise<DevelopmentChain | undefined> => {
  try {
    const { db } = app.services;
    const [url, wallet] = await Promise.all([chain.url(), requireWallet(app, config)]);
    const client = localClient(url);
    const holders = (await selectVerifiedAddresses(db, MAX_HOLDERS)).map((address) => bytesToHex(address));
    await fillLocalChain(client, { wallet: wallet.address, holders });
    await installMarket(client, holders);
    await registerAccounts(client, db);
    // The job of the service goes on with what takes longer.
    if (!config.rpc.base) await app.indexStp(AbortSignal.timeout(INDEX_MS), 'base').catch(() => undefined);
    printOrigin(output, await chain.origin());
    printLoss(output, await reopenDroppedTransactions(db, client));
    const deployNetwork = (['base', 'optimism', 'base-sepolia'] as const).find((network) => !config.rpc[network]);
    return { url, chainId: LOCAL_CHAIN_ID, wallet, deployNetwork };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    output.note(
      `${error.message} Networks without CASTELLAN_RPC_* answer nothing; CASTELLAN_LOCAL_CHAIN=off starts without it.`,
    );
    return undefined;
  }
};

/** @returns the lines about the chain that are printed at the start */
export const chainLines = ({ url, chainId, wallet }: DevelopmentChain, rpc: Config['rpc']): string[] => [
  `  Chain      ${url} (id ${chainId}; stands in for ${NETWORKS.filter((network) => !rpc[network]).join(', ')})`,
  `  Wallet     ${wallet.id} (${wallet.address})`,
];

/** @returns a command that deploys a collection */
export const deployLine = (baseUrl: string, apiKey: string, { wallet, deployNetwork }: DevelopmentChain): string[] => {
  if (deployNetwork === undefined) return [];
  const body = JSON.stringify({ name: 'First', symbol: 'FIRST', network: deployNetwork });
  return [
    `  curl -s -H 'x-api-key: ${apiKey}' -H 'x-wallet-id: ${wallet.id}' -H 'content-type: application/json' -d '${body}' '${baseUrl}/v2/social/nft/deploy/erc721/'`,
  ];
};
