import { randomUUID } from 'node:crypto';
import { type Address, bytesToHex, encodeDeployData, getContractAddress, type Hex, hexToBytes } from 'viem';
import { AppError, invalidField } from '../../error.js';
import {
  type CollectionRow,
  insertCollection,
  selectCandidates,
  updateCollectionAddress,
  updateDeployedAddress,
} from '../../store/onchain/collection.js';
import { afterCommit } from '../../store/commit-outcome.js';
import type { Database } from '../../store/database.js';
import type { Journal } from '../../write/journal.js';
import { seriesCollectionAbi as abi, seriesCollectionBytecode as bytecode } from '../artifact/series-collection.js';
import { checkedAddress } from '../checked-address.js';
import { readRefusal } from './mint-revert.js';
import type { Network } from '../network.js';
import type { Call, Sender, SendFailure } from '../transaction/sender.js';
import { receiptOf } from '../sent-receipt.js';
import type { UsableWallet } from '../transaction/wallet.js';

/** What a collection is to be, in the members of the request. */
export interface CollectionPlan {
  readonly name: string;
  readonly symbol: string;
  readonly description?: string;
  readonly external_link?: string;
  readonly image?: string;
  readonly max_supply?: number;
  readonly royalty_bps?: number;
  readonly royalty_recipient?: string;
  readonly mint_config?: {
    readonly start_timestamp?: number;
    readonly end_timestamp?: number;
    readonly max_per_tx?: number;
    readonly max_per_wallet?: number;
    readonly price_per_token?: string;
  };
}

/**
 * The collection's metadata is the code of a contract, at most 24,576 bytes (EIP-170) with the byte before it. It is a
 * data URI in base64, four bytes for three of the JSON text.
 */
const METADATA_MAX_BYTES = 24_575;
const URI_HEAD_BYTES = 'data:application/json;base64,'.length;

/** What stands in the collection's own metadata. */
const metadataOf = ({ name, symbol, description, image, external_link }: CollectionPlan): object => ({
  name,
  symbol,
  ...(description ? { description } : {}),
  ...(image ? { image } : {}),
  ...(external_link ? { external_link } : {}),
});

const requireRoom = (plan: CollectionPlan): void => {
  const bytes = Buffer.byteLength(JSON.stringify(metadataOf(plan)));
  if (URI_HEAD_BYTES + 4 * Math.ceil(bytes / 3) <= METADATA_MAX_BYTES) return;
  const [longest = 'description'] = (['image', 'description', 'external_link'] as const)
    .filter((member) => plan[member] !== undefined)
    .sort((a, b) => (plan[b] as string).length - (plan[a] as string).length);
  const message = `${longest} is too long: the contract keeps name, symbol, description, image and external_link, together at most 18,400 bytes of JSON, and these are ${bytes}. Give an image by its address.`;
  throw invalidField(longest, message);
};

const END = 'mint_config.end_timestamp';

const requireWindow = ({
  mint_config: { start_timestamp: start = 0, end_timestamp: end = 0 } = {},
}: CollectionPlan): void => {
  if (end === 0 || end > start) return;
  throw invalidField(END, `${END} (${end}) must be later than mint_config.start_timestamp (${start}).`);
};

/**
 * The contract itself takes an end that has passed; its owner alone could open it again.
 * @param now Unix milliseconds
 */
const requireOpenEnd = ({ mint_config: { end_timestamp: end = 0 } = {} }: CollectionPlan, now: number): void => {
  const seconds = Math.floor(now / 1000);
  if (end === 0 || end > seconds) return;
  const message = `${END} (${end}) has passed: it is ${seconds} now, in Unix seconds, and nobody could mint. Give a later one, or none.`;
  throw invalidField(END, message);
};

const ZERO = `0x${'0'.repeat(40)}`;

const royaltyReceiverOf = ({ royalty_recipient, royalty_bps = 0 }: CollectionPlan, owner: Address): Address => {
  if (royalty_recipient === undefined) return owner;
  const receiver = checkedAddress(royalty_recipient, 'royalty_recipient');
  if (receiver !== ZERO || royalty_bps === 0) return receiver;
  throw invalidField('royalty_recipient', 'royalty_recipient must not be the zero address: royalties would be lost.');
};

/**
 * @param tokenUri stands in the contract before the id of each token
 * @returns the data of the transaction that deploys a collection.
 * @throws AppError invalid for what no contract can be made of
 */
const deployData = (plan: CollectionPlan, owner: Address, tokenUri: string): Hex => {
  requireRoom(plan);
  requireWindow(plan);
  const { mint_config: mint = {} } = plan;
  const config = {
    name: plan.name,
    symbol: plan.symbol,
    description: plan.description ?? '',
    externalLink: plan.external_link ?? '',
    image: plan.image ?? '',
    tokenUri,
    maxSupply: BigInt(plan.max_supply ?? 0),
    startTime: mint.start_timestamp ?? 0,
    endTime: mint.end_timestamp ?? 0,
    maxPerTx: mint.max_per_tx ?? 0,
    maxPerWallet: mint.max_per_wallet ?? 0,
    pricePerToken: BigInt(mint.price_per_token ?? '0'),
    royaltyBps: plan.royalty_bps ?? 0,
    royaltyReceiver: royaltyReceiverOf(plan, owner),
    owner,
  };
  return encodeDeployData({ abi, bytecode, args: [config] });
};

/** @returns the error for a request whose one transaction was not sent. */
const notSent = ({ failure: { code, message, revert } }: SendFailure): AppError => {
  if (code === 'Reverted') {
    return new AppError('invalid', 'InvalidField', readRefusal(revert).reason, { property: 'body' });
  }
  return new AppError('invalid', code, message, { property: 'x-wallet-id' });
};

interface Parts {
  readonly db: Database;
  readonly sender: Sender;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

export interface Deployment {
  readonly organizationId: string;
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly plan: CollectionPlan;
  /** @returns what stands in the contract before the id of each token of the collection with this id */
  readonly tokenUri: (collectionId: string) => string;
  readonly journal: Journal | undefined;
  /** Milliseconds to wait for the block. */
  readonly timeoutMs: number;
}

/**
 * Deploys a collection that the wallet owns. Its row is written with its transaction, before anything is sent.
 * @returns its address and the hash of the transaction that was mined, in lower case
 * @throws AppError invalid for what cannot be deployed or paid, gateway_timeout when it is not mined in time, and what
 *   the sender throws
 */
export const deployCollection = async (
  { db, sender, clock }: Parts,
  { organizationId, wallet, network, plan, tokenUri, journal, timeoutMs }: Deployment,
): Promise<{ readonly address: Address; readonly hash: Hex }> => {
  const id = randomUUID();
  const call: Call = { data: deployData(plan, wallet.address, tokenUri(id)), value: 0n, purpose: 'deploy' };
  // A request that comes again after the end of its mint is told what became of the first: only a new one is checked.
  const calls = async (): Promise<Call[]> => {
    requireOpenEnd(plan, clock());
    return [call];
  };
  const [sent] = await sender.send(wallet, network, calls, {
    journal,
    written: async (session, [outcome]) => {
      if (!outcome || 'failure' in outcome) return;
      const createdAt = new Date(clock());
      const row = { id, network, organizationId, walletId: wallet.id, config: plan, createdAt };
      await insertCollection(session, { ...row, transactionId: outcome.id });
    },
  });
  if (!sent) throw new Error('the sender answered nothing');
  if ('failure' in sent) throw notSent(sent);
  const receipt = await receiptOf(sender, sent.id, timeoutMs);
  if (!receipt) {
    const message = `The collection is on its way with the transaction ${sent.hash}, which is not known to be mined yet. Send the same request again, with the same Idempotency-Key, to wait for it; without a key that would deploy another one.`;
    throw new AppError('gateway_timeout', 'GatewayTimeout', message);
  }
  const { contractAddress, transactionHash: hash } = receipt;
  if (receipt.status !== 'success' || !contractAddress) {
    const message = `The transaction ${hash} was mined, but deployed nothing. Its gas is spent. Send the request again with another Idempotency-Key.`;
    throw new AppError('internal', 'DeploymentFailed', message);
  }
  const address = contractAddress.toLowerCase() as Address;
  await afterCommit(() => updateDeployedAddress(db, sent.id, hexToBytes(address)));
  return { address, hash };
};

/** A collection that is known here. */
export interface KnownCollection {
  readonly id: string;
  /** Lower case; undefined: it was deployed elsewhere. */
  readonly deployer: Address | undefined;
}

const addressOf = ({ address, wallet, nonce }: CollectionRow): Address => {
  if (address !== null) return bytesToHex(address);
  const made = getContractAddress({ from: bytesToHex(wallet), nonce: BigInt(nonce ?? 0) });
  return made.toLowerCase() as Address;
};

/**
 * Finds the collection at an address, also one whose deployment nobody waited for, or is not known to be mined yet: the
 * nonce of its transaction decides where it is.
 * @param address lower case
 */
export const findCollection = async (
  db: Database,
  network: Network,
  address: Address,
): Promise<KnownCollection | undefined> => {
  const rows = (await selectCandidates(db, network, hexToBytes(address))).filter((row) => addressOf(row) === address);
  // What is written down counts; of the others, what the chain is known to have.
  const row = rows.find((one) => one.address !== null) ?? rows.find((one) => one.isMined) ?? rows[0];
  if (!row) return undefined;
  if (row.address === null && row.isMined) await updateCollectionAddress(db, row.id, hexToBytes(address));
  return { id: row.id, deployer: row.isDeployedHere ? bytesToHex(row.wallet) : undefined };
};
