import { type Address, bytesToHex, encodeFunctionData, type Hex, multicall3Abi } from 'viem';
import { invalidField } from '../error.js';
import { fromHex } from '../hex.js';
import { MULTICALL3 } from '../onchain/network.js';
import { revertOf } from '../onchain/nft/simulation-revert.js';
import { readAddressState } from '../onchain/registry/account-state.js';
import { idRegistry, keyGateway, registryClient } from '../onchain/registry/contract.js';
import { signHash } from '../onchain/registry/hash-signature.js';
import { addKeyHash, keyRequestHash, transferHash } from '../onchain/registry/typed-data.js';
import type { Call } from '../onchain/transaction/call.js';
import { keyMetadata, METADATA_TYPE } from '../signer/key-request-signature.js';
import { KeyType, selectLatestKeyRequest } from '../store/access/signed-key-request.js';
import type { AccountDependencies } from './dependencies.js';
import { revertError } from './registry-sender.js';

/** How long the contracts accept the signatures of the reserved account, in seconds. */
const DEADLINE_S = 86_400;

/** A transfer of a reserved account to a person, with a signer. */
export interface Transfer {
  readonly fid: number;
  /** Address and key of the reserved account. */
  readonly owner: Address;
  readonly key: Uint8Array;
  /** 32 bytes. */
  readonly signerKey: Uint8Array;
  /** The person's address, deadline (Unix seconds) and signature. */
  readonly to: Address;
  readonly deadline: number;
  readonly signature: Hex;
  /** Address of the wallet that pays. */
  readonly payer: Address;
}

/** @returns the signed key request of an app; the account's own without one */
const metadataOf = async (
  { db }: AccountDependencies,
  { fid, owner, key, signerKey }: Transfer,
  deadline: number,
): Promise<Hex> => {
  const request = await selectLatestKeyRequest(db, signerKey, KeyType.signer);
  if (request)
    return bytesToHex(await keyMetadata({ ...request, key: signerKey, deadline: request.deadline.getTime() / 1000 }));
  const hash = keyRequestHash({ requestFid: BigInt(fid), key: bytesToHex(signerKey), deadline: BigInt(deadline) });
  const signed = { requestSigner: fromHex(owner), signature: fromHex(signHash(key, hash)) };
  return bytesToHex(await keyMetadata({ requestFid: fid, key: signerKey, deadline, ...signed }));
};

/** Fails before the wallet pays. Within Multicall3 the contracts' own errors would be lost. */
const simulate = async (
  deps: AccountDependencies,
  call: { readonly to: Address; readonly data: Hex },
  payer: Address,
  property: string,
): Promise<void> => {
  try {
    await registryClient(deps.networks).call({ ...call, account: payer });
  } catch (error) {
    const revert = revertOf(error);
    if (!revert) throw error;
    throw revertError(revert.data, property);
  }
};

/**
 * Signs with the key of the reserved account.
 * @returns one call that adds the signer and transfers the account, or does neither
 * @throws AppError `invalid` if the contracts would reject it
 */
export const transferCall = async (deps: AccountDependencies, transfer: Transfer): Promise<Call> => {
  const { fid, owner, key, to, payer } = transfer;
  const client = registryClient(deps.networks);
  const state = await readAddressState(client, owner);
  if (state.fid !== fid)
    throw invalidField('fid', `fid ${fid} does not belong to this service any more. Reserve another one.`);
  const seconds = Math.floor(deps.clock() / 1000) + DEADLINE_S;
  const deadline = BigInt(seconds);
  const metadata = await metadataOf(deps, transfer, seconds);
  const keyArgs = {
    keyType: KeyType.signer,
    key: bytesToHex(transfer.signerKey),
    metadataType: METADATA_TYPE,
    metadata,
  };
  const addSignature = signHash(key, addKeyHash({ ...keyArgs, owner, nonce: state.addKeyNonce, deadline }));
  const transferSignature = signHash(key, transferHash({ fid: BigInt(fid), to, nonce: state.transferNonce, deadline }));
  const add = {
    to: keyGateway.address,
    data: encodeFunctionData({
      abi: keyGateway.abi,
      functionName: 'addFor',
      args: [owner, keyArgs.keyType, keyArgs.key, METADATA_TYPE, metadata, deadline, addSignature],
    }),
  };
  const move = {
    to: idRegistry.address,
    data: encodeFunctionData({
      abi: idRegistry.abi,
      functionName: 'transferFor',
      args: [owner, to, deadline, transferSignature, BigInt(transfer.deadline), transfer.signature],
    }),
  };
  await simulate(deps, add, payer, 'signer');
  await simulate(deps, move, payer, 'signature');
  const calls = [add, move].map((call) => ({ target: call.to, allowFailure: false, callData: call.data }));
  return {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
    value: 0n,
    purpose: 'transfer',
  };
};
