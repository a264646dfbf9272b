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
import type { ChainClient, Network, Networks } from './network.js';
import { withinTime } from './time-limit.js';

/** Shorter than a call to a chain may take otherwise: whoever asks has a manifest to read or an event to deliver, too. */
const TIMEOUT_MS = 4000;

/** A signature that a contract wallet may have made. */
export interface ContractSignature {
  readonly address: Address;
  /** Of the signed text, as wallets make it (EIP-191). */
  readonly hash: Hex;
  readonly signature: Hex;
}

const late = (cause: unknown): AppError =>
  new AppError('internal', 'ChainUnavailable', 'A network does not answer at the moment. Try again shortly.', {
    cause,
  });

/**
 * Asks a chain with one call that makes no transaction. viem's `verifyHash` makes the same call, but says false also
 * when no endpoint answers.
 *
 * @throws AppError when no endpoint answers in time
 */
const isValidOn = async (client: ChainClient, { address, hash, signature }: ContractSignature): Promise<boolean> => {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  });
  try {
    const { data: answer } = await withinTime(client.call({ data }), TIMEOUT_MS);
    return answer !== undefined && answer !== '0x' && hexToBigInt(answer) === 1n;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // viem's errors say that the chain ran the call: the wallet reverted, or answered with something else.
    if (error instanceof BaseError) return false;
    throw late(error);
  }
};

/**
 * Asks the contract at an address whether it made a signature (ERC-1271), also one that is not deployed yet when the
 * signature says how to deploy it (ERC-6492).
 *
 * @param among the networks on which the wallet may be; those that are not configured are left out
 * @returns whether the wallet of one of them says so; undefined when none of the networks is configured
 * @throws AppError when no network says so and one of them does not answer
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
