import {
  type Address,
  BaseError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hexToBigInt,
} from 'viem';
import { AppError } from '../error.js';
import { withTimeout } from '../timeout.js';
import type { ChainClient, Network, Networks } from './network.js';

/** Shorter than the general timeout of a call, because the request also reads a manifest or delivers an event. */
const TIMEOUT_MS = 4000;

/** A signature that a contract wallet may have made. */
export interface ContractSignature {
  readonly address: Address;
  /** Hash of the signed text as wallets make it (EIP-191). */
  readonly hash: Hex;
  readonly signature: Hex;
}

const unavailable = (cause: unknown): AppError =>
  new AppError('internal', 'ChainUnavailable', 'A network does not answer at the moment. Try again shortly.', {
    cause,
  });

/**
 * Verifies with one eth_call. viem's `verifyHash` sends the same call, but also returns false if no endpoint responds.
 * @throws AppError if no endpoint responds in time
 */
const isValidOn = async (client: ChainClient, { address, hash, signature }: ContractSignature): Promise<boolean> => {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  });
  try {
    const { data: answer } = await withTimeout(client.call({ data }), TIMEOUT_MS);
    return answer !== undefined && answer !== '0x' && hexToBigInt(answer) === 1n;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // An error of viem means that the chain ran the call: the wallet reverted, or returned something else.
    if (error instanceof BaseError) return false;
    throw unavailable(error);
  }
};

/**
 * Verifies the signature of a contract wallet (ERC-1271). A wallet that is not deployed yet is verified if the
 * signature contains its deployment (ERC-6492).
 * @param among possible networks of the wallet; those that are not configured are skipped
 * @returns whether the signature is valid on one of them; undefined if none of them is configured
 * @throws AppError if it is valid on none and one of them did not respond
 */
export const isSignedByContract = async (
  networks: Networks,
  among: readonly Network[],
  signed: ContractSignature,
): Promise<boolean | undefined> => {
  const configured = among.filter((network) => networks.configured.includes(network));
  if (configured.length === 0) return undefined;
  const results = await Promise.allSettled(configured.map((network) => isValidOn(networks.client(network), signed)));
  if (results.some((result) => result.status === 'fulfilled' && result.value)) return true;
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return false;
};
