import { base58 } from '@scure/base';
import { equalBytes } from '../../bytes.js';
import { recoverAddressClaim } from '../eip712.js';
import {
  BLOCK_HASH_BYTES,
  ED25519_SIGNATURE_BYTES,
  ETH_ADDRESS_BYTES,
  MAX_CONTRACT_SIGNATURE_BYTES,
  SOL_ADDRESS_BYTES,
} from '../limit.js';
import { networkName } from '../network-name.js';
import type { SignatureVerifier } from '../signature.js';
import { Rejection } from '../verification-result.js';
import type { VerificationAddBody, VerificationRemoveBody } from '../wire/body.js';
import type { MessageHead } from '../wire/message-data.js';

const ADDRESS_BYTES: Readonly<Record<number, number>> = { 0: ETH_ADDRESS_BYTES, 1: SOL_ADDRESS_BYTES };
/** `Protocol` of the protocol. */
const SOLANA = 1;

/** `verification_type`: the key of an account signs, or the contract verifies on its chain. */
const VERIFICATION_TYPE = { account: 0, contract: 1 } as const;
/** None, Ethereum, Goerli, Optimism, Optimism Goerli: the hub's list. */
const CHAIN_IDS = [0, 1, 5, 10, 420];

/** @throws Rejection for a removal without address */
export const checkVerificationRemove = (body: VerificationRemoveBody): void => {
  checkAddress(body);
};

/** @throws Rejection for an invalid body; `checkAddressClaim` checks its claim */
export const checkVerificationAdd = (body: VerificationAddBody): void => {
  checkAddress(body);
  if (body.blockHash.length !== BLOCK_HASH_BYTES) {
    throw new Rejection('bad_claim', `blockHash must have ${BLOCK_HASH_BYTES} bytes, has ${body.blockHash.length}`);
  }
  if (body.protocol === SOLANA) {
    if (body.claimSignature.length === ED25519_SIGNATURE_BYTES) return;
    throw new Rejection('bad_claim', `a Solana claimSignature has ${ED25519_SIGNATURE_BYTES} bytes`);
  }
  if (body.claimSignature.length > MAX_CONTRACT_SIGNATURE_BYTES) {
    throw new Rejection('bad_claim', `claimSignature has at most ${MAX_CONTRACT_SIGNATURE_BYTES} bytes`);
  }
  if (!CHAIN_IDS.includes(body.chainId)) {
    throw new Rejection('bad_claim', `chainId must be one of ${CHAIN_IDS.join(', ')}`);
  }
  if (body.verificationType > VERIFICATION_TYPE.contract) {
    throw new Rejection('bad_claim', 'verificationType is 0 (account) or 1 (contract)');
  }
};

/** @returns whether only a chain can verify the claim */
export const isContractClaim = (body: Pick<VerificationAddBody, 'protocol' | 'verificationType'>): boolean =>
  body.protocol !== SOLANA && body.verificationType === VERIFICATION_TYPE.contract;

/** @throws Rejection unless the owner of the address signed the claim; not for contract claims */
export const checkAddressClaim = (body: VerificationAddBody, head: MessageHead, verifier: SignatureVerifier): void => {
  const { fid, network } = head;
  if (body.protocol !== SOLANA) {
    const signer = recoverAddressClaim({ fid, network, body });
    if (signer !== undefined && equalBytes(signer, body.address)) return;
    throw unsigned('Ethereum', head);
  }
  const [address, blockHash] = [base58.encode(body.address), base58.encode(body.blockHash)];
  // Wallets sign plain text, not Solana's off-chain format (@farcaster/core verifications.ts).
  const claim = `fid: ${fid} address: ${address} network: ${network} blockHash: ${blockHash} protocol: ${SOLANA}`;
  if (!verifier.verify(body.claimSignature, Buffer.from(claim), body.address)) {
    throw unsigned('Solana', head);
  }
};

/** Wallets often sign for another network than that of the service, which the signature itself does not show. */
const unsigned = (chain: 'Ethereum' | 'Solana', { fid, network }: MessageHead): Rejection =>
  new Rejection(
    'bad_claim',
    `claimSignature is not by the claimed ${chain} address over this claim, for fid ${fid} and network ${networkName(network)}`,
  );

const checkAddress = ({ address, protocol }: { address: Uint8Array; protocol: number }): void => {
  const expected = ADDRESS_BYTES[protocol];
  if (expected === undefined) throw new Rejection('bad_address', `${protocol} is no protocol of addresses`);
  if (address.length !== expected) {
    throw new Rejection('bad_address', `the address must have ${expected} bytes, has ${address.length}`);
  }
};
