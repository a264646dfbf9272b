import { KEY_GATEWAY_EIP_712_TYPES } from '@farcaster/core';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { AppError, invalidField } from '../error.js';
import { fromHex, toHex } from '../hex.js';
import { readAddressState } from '../onchain/registry/account-state.js';
import { keyGateway, registryClient } from '../onchain/registry/contract.js';
import { addKeyHash, isSignedBy } from '../onchain/registry/typed-data.js';
import type { Call } from '../onchain/transaction/call.js';
import type { Wallets } from '../onchain/transaction/wallet.js';
import { keyMetadata, METADATA_TYPE } from '../signer/key-request-signature.js';
import { type ApprovalRow, setSponsorTransaction } from '../store/access/signed-key-request.js';
import { type AccountDependencies, RECEIPT_WAIT_MS } from './dependencies.js';

/** Unix seconds that a consent is valid, and at most until the request's own deadline. */
const CONSENT_SECONDS = 3600;

export interface SponsorDependencies extends AccountDependencies {
  readonly wallets: Wallets;
}

/** What the custody wallet of an account signs, so that another wallet may add a key for the account (EIP-712). */
export interface KeyConsent {
  readonly owner: Address;
  /** Unix seconds. */
  readonly deadline: number;
}

const unavailable = (): AppError =>
  new AppError('conflict', 'NotSponsored', 'Nobody pays for this request: send the transaction from your own wallet.');

/** @returns whether the operator pays for the registration of the key */
export const isSponsored = (
  { settings, networks }: Pick<AccountDependencies, 'settings' | 'networks'>,
  row: ApprovalRow,
): boolean =>
  row.sponsored &&
  row.active === null &&
  settings.sponsorWalletId !== undefined &&
  networks.configured.includes('optimism');

const messageOf = async (row: ApprovalRow, { owner, deadline }: KeyConsent, nonce: bigint) => {
  const { requestFid, requestSigner, key, signature } = row;
  const claim = { requestFid, requestSigner, key, signature, deadline: row.deadline.getTime() / 1000 };
  return {
    ...{ owner, keyType: row.keyType, key: toHex(key), metadataType: METADATA_TYPE },
    metadata: toHex(await keyMetadata(claim)),
    nonce,
    deadline: BigInt(deadline),
  };
};

/** @returns the nonce of the next consent of an account's custody address */
const requireNonce = async ({ networks }: SponsorDependencies, owner: Address): Promise<bigint> => {
  const { fid, addKeyNonce } = await readAddressState(registryClient(networks), owner);
  if (fid !== undefined) return addKeyNonce;
  throw invalidField('owner', `${owner} has custody of no account.`);
};

/**
 * @returns the deadline of a new consent, and what the wallet signs, as `eth_signTypedData_v4` takes it
 * @throws AppError 'conflict' if nobody pays; 'invalid' with property `owner` for an address without an account; if OP
 *   Mainnet does not respond
 */
export const prepareConsent = async (deps: SponsorDependencies, row: ApprovalRow, owner: Address) => {
  if (!isSponsored(deps, row)) throw unavailable();
  const nonce = await requireNonce(deps, owner);
  const deadline = Math.min(Math.floor(deps.clock() / 1000) + CONSENT_SECONDS, row.deadline.getTime() / 1000);
  const message = await messageOf(row, { owner, deadline }, nonce);
  const { domain, types } = KEY_GATEWAY_EIP_712_TYPES;
  const domainType = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  return {
    deadline,
    typedData: {
      domain,
      types: { EIP712Domain: domainType, ...types },
      primaryType: 'Add',
      message: { ...message, nonce: String(message.nonce), deadline: String(message.deadline) },
    },
  };
};

/**
 * Registers the key for the account at the expense of the operator, within the daily limit of the app that asked for it, and
 * once: a second consent is refused while the transaction of the first is on its way.
 * @returns the hash of the transaction; whether it is mined yet
 * @throws AppError 'conflict' if nobody pays or a transaction was sent; 'invalid' with property `signature` for one that is not
 *   by the owner, or for a call that the registry rejects; if OP Mainnet does not respond
 */
export const sponsorKey = async (
  deps: SponsorDependencies,
  row: ApprovalRow,
  consent: KeyConsent & { readonly signature: Hex },
): Promise<{ readonly hash: Hex; readonly isMined: boolean }> => {
  const { settings, networks, registry, wallets } = deps;
  const wallet = settings.sponsorWalletId === undefined ? undefined : await wallets.find(settings.sponsorWalletId);
  if (!isSponsored(deps, row) || wallet === undefined) throw unavailable();
  const { owner, signature } = consent;
  const message = await messageOf(row, consent, await requireNonce(deps, owner));
  if (!(await isSignedBy(networks, owner, { hash: addKeyHash(message), signature }))) {
    throw invalidField('signature', `signature is not by ${owner} over the consent (EIP-712, Farcaster KeyGateway)`);
  }
  const { keyType, key, metadataType, metadata, deadline } = message;
  const data = encodeFunctionData({
    abi: keyGateway.abi,
    functionName: 'addFor',
    args: [owner, keyType, key, metadataType, metadata, deadline, signature],
  });
  const plan = async (): Promise<Call> => ({ to: keyGateway.address, data, value: 0n, purpose: 'sponsored key' });
  const sent = await registry.send({
    spenderId: row.appId,
    wallet,
    plan,
    written: async (session, { id }) => {
      if (await setSponsorTransaction(session, { token: row.token ?? '', transactionId: id })) return;
      throw new AppError('conflict', 'SponsorSent', 'The transaction for this request was sent already: wait for it.');
    },
  });
  return { hash: sent.hash, isMined: (await registry.receipt(sent.id, RECEIPT_WAIT_MS)) !== undefined };
};

/** @returns the address in its usual spelling. @throws AppError 'invalid' with property `owner` */
export const readOwner = async (text: unknown): Promise<Address> => {
  const { getAddress, isAddress } = await import('viem/utils');
  if (typeof text === 'string' && isAddress(text, { strict: false })) return getAddress(toHex(fromHex(text)));
  throw invalidField('owner', 'owner must be an Ethereum address: 0x and 40 hex digits');
};
