import { UserDataType, type VerificationAddAddressBody } from '@farcaster/core';
import { equalBytes } from '../../bytes.js';
import type { Database } from '../../db/database.js';
import { AppError } from '../../error.js';
import { toHex } from '../../hex.js';
import { USERNAME_TYPE } from '../../protocol/check/username.js';
import { isContractClaim } from '../../protocol/check/verification.js';
import { hashContractClaim } from '../../protocol/eip712.js';
import type { ProtocolMessage } from '../../protocol/wire/message.js';
import { selectProofsOfNames } from '../../store/protocol/username-proof.js';
import type { InvalidOutcome } from '../ingest-outcome.js';

type NameNetwork = 'ethereum' | 'base';
type WalletNetwork = 'ethereum' | 'optimism';
type Hex = `0x${string}`;

/**
 * Asks chains about claims in submissions. Each call takes seconds at most.
 * Its methods throw an AppError invalid that says which variable to set if the network is not configured, and another
 * AppError if it does not answer.
 */
export interface ChainClaimReader {
  isConfigured(network: NameNetwork): boolean;
  /** @returns the 20 bytes of the address that a name resolves to; undefined if there is none */
  addressOfName(network: NameNetwork, name: string): Promise<Uint8Array | undefined>;
  /** @returns whether the contract wallet at the address signed the hash (ERC-1271, ERC-6492) */
  isSignedByContract(
    network: WalletNetwork,
    signed: { readonly address: Hex; readonly hash: Hex; readonly signature: Hex },
  ): Promise<boolean>;
}

/** Chains that hubs ask about contract wallets (snapchain, `Chain::from_chain_id`), of those that a claim may name. */
const WALLET_NETWORKS: Readonly<Record<number, WalletNetwork>> = { 1: 'ethereum', 10: 'optimism' };

const NAME_NETWORKS: Readonly<Record<number, NameNetwork>> = {
  [USERNAME_TYPE.ens]: 'ethereum',
  [USERNAME_TYPE.basename]: 'base',
};

const invalid = (reason: InvalidOutcome['reason'], detail: string): InvalidOutcome => ({
  status: 'invalid',
  reason,
  detail,
});

interface OwnedName {
  readonly name: string;
  readonly type: number;
  readonly owner: Uint8Array;
}

/**
 * Checks what only a chain knows about a message that is submitted to this service as its hub: that an ENS name or a
 * Basename belongs to the owner that its proof names, also when it becomes the username, and that a contract wallet signed
 * its claim. Whether the owner is an address of the account is stored state (`submission.ts`).
 * @returns a function that returns the error of a message, if any
 * @source snapchain 0.14.2, `submit_message_to_mempool` (`server.rs`)
 */
export const createChainClaimCheck = (chains: ChainClaimReader, db: Database) => {
  const checkName = async ({ name, type, owner }: OwnedName): Promise<InvalidOutcome | undefined> => {
    const network = NAME_NETWORKS[type];
    if (network === undefined) return invalid('bad_username', `Names of type ${type} are not proven by a chain.`);
    const address = await chains.addressOfName(network, name);
    if (address === undefined) return invalid('bad_claim', `${name} has no address on ${network}.`);
    if (equalBytes(address, owner)) return undefined;
    const detail = `${name} resolves to ${toHex(address)}, not to the owner of its proof, ${toHex(owner)}.`;
    return invalid('bad_claim', detail);
  };

  /** Without an endpoint of the chain, a name is accepted if its proof is stored: a hub or a file contained it. */
  const checkUsername = async (name: string): Promise<InvalidOutcome | undefined> => {
    if (!chains.isConfigured(name.endsWith('.base.eth') ? 'base' : 'ethereum')) return undefined;
    const [proof] = await selectProofsOfNames(db, [name]);
    return proof && checkName(proof);
  };

  const checkContract = async (
    { fid, network }: { readonly fid: number; readonly network: number },
    body: VerificationAddAddressBody,
  ): Promise<InvalidOutcome | undefined> => {
    const chain = WALLET_NETWORKS[body.chainId];
    if (chain === undefined)
      return invalid(
        'bad_claim',
        `chainId of a contract wallet is 1 (Ethereum) or 10 (OP Mainnet), not ${body.chainId}.`,
      );
    const hash = hashContractClaim({ fid, network, body });
    const signed = { address: toHex(body.address), hash, signature: toHex(body.claimSignature) } as const;
    if (await chains.isSignedByContract(chain, signed)) return undefined;
    const detail = `The contract wallet ${signed.address} on ${chain} says that claimSignature is not its own over this claim.`;
    return invalid('bad_claim', detail);
  };

  const check = async ({ fid, data }: ProtocolMessage): Promise<InvalidOutcome | undefined> => {
    const { usernameProofBody: proof, verificationAddAddressBody: address, userDataBody } = data;
    if (proof) return checkName({ ...proof, name: Buffer.from(proof.name).toString('utf8') });
    if (address && isContractClaim(address)) return checkContract({ fid, network: data.network }, address);
    if (userDataBody?.type === UserDataType.USERNAME && userDataBody.value.endsWith('.eth'))
      return checkUsername(userDataBody.value);
    return undefined;
  };

  return async (message: ProtocolMessage): Promise<InvalidOutcome | undefined> => {
    try {
      return await check(message);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return invalid(error.kind === 'invalid' ? 'unverifiable_claim' : 'chain_unavailable', error.message);
    }
  };
};
