import { randomUUID } from 'node:crypto';
import { type Address, bytesToHex, encodeDeployData, getContractAddress, type Hex, hexToBytes } from 'viem';
import { afterCommit } from '../../db/commit-outcome.js';
import type { Database } from '../../db/database.js';
import { AppError, invalidField } from '../../error.js';
import {
  type CollectionRow,
  insertCollection,
  selectCandidates,
  updateCollectionAddress,
  updateDeployedAddress,
} from '../../store/onchain/collection.js';
import { seriesCollectionAbi as abi, seriesCollectionBytecode as bytecode } from '../artifact/series-collection.js';
import { checkedAddress, usableAddress } from '../checked-address.js';
import type { Network } from '../network.js';
import type { Call, SendFailure, WalletRequest } from '../transaction/call.js';
import { receiptOf } from '../transaction/receipt-wait.js';
import type { Sender } from '../transaction/sender.js';
import { readErrorCode } from './mint-revert.js';

/** Parameters of a new collection, named as in the request. */
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
 * The contract stores its metadata as the code of another contract: at most 24,576 bytes (EIP-170), of which the first
 * is a stop byte. The metadata is a base64 data URI with four bytes for three of the JSON text.
 */
const METADATA_MAX_BYTES = 24_575;
const URI_HEAD_BYTES = 'data:application/json;base64,'.length;

/** @returns the metadata of a collection (ERC-7572) */
export const collectionMetadata = ({
  name,
  symbol,
  description,
  image,
  external_link,
}: Pick<CollectionPlan, 'name' | 'symbol' | 'description' | 'image' | 'external_link'>): object => ({
  name,
  symbol,
  ...(description ? { description } : {}),
  ...(image ? { image } : {}),
  ...(external_link ? { external_link } : {}),
});

/** @returns whether the contract can store its metadata; otherwise this service serves it */
const fitsContract = (plan: CollectionPlan): boolean => {
  const bytes = Buffer.byteLength(JSON.stringify(collectionMetadata(plan)));
  return URI_HEAD_BYTES + 4 * Math.ceil(bytes / 3) <= METADATA_MAX_BYTES;
};

const END = 'mint_config.end_timestamp';

const requireWindow = ({
  mint_config: { start_timestamp: start = 0, end_timestamp: end = 0 } = {},
}: CollectionPlan): void => {
  if (end === 0 || end > start) return;
  throw invalidField(END, `${END} (${end}) must be later than mint_config.start_timestamp (${start}).`);
};

/**
 * The contract accepts an end in the past, but then only its owner could open the mint again.
 * @param now Unix milliseconds
 */
const requireOpenEnd = ({ mint_config: { end_timestamp: end = 0 } = {} }: CollectionPlan, now: number): void => {
  const seconds = Math.floor(now / 1000);
  if (end === 0 || end > seconds) return;
  const message = `${END} (${end}) has passed: it is ${seconds} now, in Unix seconds, and nobody could mint. Give a later one, or none.`;
  throw invalidField(END, message);
};

/** Stands in place of a token id in the URI of the collection's own metadata. */
export const COLLECTION_TOKEN = 'collection';
const NOTHING = { description: '', externalLink: '', image: '' };

const royaltyReceiverOf = ({ royalty_recipient, royalty_bps = 0 }: CollectionPlan, owner: Address): Address => {
  if (royalty_recipient === undefined) return owner;
  return (royalty_bps === 0 ? checkedAddress : usableAddress)(royalty_recipient, 'royalty_recipient');
};

/**
 * @param tokenUri prefix of the token URIs, followed by the token id; `collection` in its place is the collection's own
 * @returns the data of the transaction that deploys the collection
 * @throws AppError invalid for parameters that the contract rejects
 */
const deployData = (plan: CollectionPlan, owner: Address, tokenUri: string): Hex => {
  requireWindow(plan);
  const { mint_config: mint = {} } = plan;
  const inContract = {
    description: plan.description ?? '',
    externalLink: plan.external_link ?? '',
    image: plan.image ?? '',
  };
  const config = {
    name: plan.name,
    symbol: plan.symbol,
    ...(fitsContract(plan)
      ? { ...inContract, metadataUri: '' }
      : { ...NOTHING, metadataUri: `${tokenUri}${COLLECTION_TOKEN}` }),
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

/** @returns the error for a deployment that was not sent */
const notSent = ({ failure: { code, message, revert } }: SendFailure): AppError => {
  if (code === 'Reverted') {
    return new AppError('invalid', 'InvalidField', readErrorCode(revert).reason, { property: 'body' });
  }
  return new AppError('invalid', code, message, { property: 'x-wallet-id' });
};

interface Dependencies {
  readonly db: Database;
  readonly sender: Sender;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

export interface Deployment extends WalletRequest {
  readonly organizationId: string;
  readonly plan: CollectionPlan;
  /** @returns the prefix of the token URIs of the collection with this id */
  readonly tokenUri: (collectionId: string) => string;
  /** How long to wait for the block, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Deploys a collection that the wallet owns. Its row is committed together with the transaction's, before the
 * broadcast.
 * @returns its address and the hash of the mined transaction, in lower case
 * @throws AppError invalid for a plan that cannot be deployed or paid for, gateway_timeout if it is not mined in time,
 *   and what the sender throws
 */
export const deployCollection = async (
  { db, sender, clock }: Dependencies,
  { organizationId, wallet, network, plan, tokenUri, idempotencyRecord, timeoutMs }: Deployment,
): Promise<{ readonly address: Address; readonly hash: Hex }> => {
  const id = randomUUID();
  const call: Call = { data: deployData(plan, wallet.address, tokenUri(id)), value: 0n, purpose: 'deploy' };
  // A repeated request gets the outcome of the first one, even after the end of the mint, so only a new plan is
  // checked.
  const calls = async (): Promise<Call[]> => {
    requireOpenEnd(plan, clock());
    return [call];
  };
  const [sent] = await sender.send(wallet, network, calls, {
    idempotencyRecord: idempotencyRecord,
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

/** A collection in the database. */
export interface KnownCollection {
  readonly id: string;
  /** Lower case; undefined if it was deployed by another service. */
  readonly deployer: Address | undefined;
}

const addressOf = ({ address, wallet, nonce }: CollectionRow): Address => {
  if (address !== null) return bytesToHex(address);
  const made = getContractAddress({ from: bytesToHex(wallet), nonce: BigInt(nonce ?? 0) });
  return made.toLowerCase() as Address;
};

/**
 * Finds the collection at an address. If its deployment is not known to be mined, the address follows from the wallet
 * and the nonce of the transaction.
 * @param address lower case
 */
export const findCollection = async (
  db: Database,
  network: Network,
  address: Address,
): Promise<KnownCollection | undefined> => {
  const rows = (await selectCandidates(db, network, hexToBytes(address))).filter((row) => addressOf(row) === address);
  // A stored address is certain, a mined deployment comes next.
  const row = rows.find((one) => one.address !== null) ?? rows.find((one) => one.isMined) ?? rows[0];
  if (!row) return undefined;
  if (row.address === null && row.isMined) await updateCollectionAddress(db, row.id, hexToBytes(address));
  return { id: row.id, deployer: row.isDeployedHere ? bytesToHex(row.wallet) : undefined };
};
