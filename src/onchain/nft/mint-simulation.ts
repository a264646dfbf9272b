import type { Address } from 'viem';
import type { Database } from '../../db/database.js';
import { invalidFields, type Problem } from '../../error.js';
import type { ChainClient, Network } from '../network.js';
import { findCollection } from './collection.js';
import { type Minted, simulateMints } from './mint.js';
import { type MintFunction, readPreviewTerms } from './mint-function.js';
import { type Recipient, unresolved } from './mint-recipient.js';
import type { SimulatedCall } from './simulated-call.js';

/** Sender of a simulation if the deployer is not known: an arbitrary address. */
const ANY_CALLER: Address = '0x00000000000000000000000000000000000a11ce';

interface Dependencies {
  readonly db: Database;
  readonly client: ChainClient;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

export interface SimulationRequest {
  readonly network: Network;
  readonly minted: Minted;
  readonly recipients: readonly Recipient[];
  /** Name of the list of recipients in the request, for errors. */
  readonly property: string;
}

export interface MintQuote {
  readonly address: Address;
  readonly mint: MintFunction;
  readonly call: SimulatedCall;
  /** Wei: the value plus the gas at its current price, or the value alone if it would fail now. */
  readonly cost: bigint;
  /** Why it would fail now. */
  readonly error?: string;
}

/**
 * Simulates a mint as it would be sent now. The sender is the wallet that deployed the collection; for a collection of
 * another service it is an arbitrary account with unlimited funds. Recipients are simulated in order, so that earlier
 * ones use up the supply and their limits. A mint that would fail now, because it has not begun or cannot be paid yet,
 * is quoted nevertheless: previewing it before is what this is for.
 * @throws AppError invalid with a problem for each recipient without an address, and what `readPreviewTerms` throws
 */
export const simulateBatch = async (
  { db, client, clock }: Dependencies,
  { network, minted, recipients, property }: SimulationRequest,
): Promise<MintQuote[]> => {
  const problem = (index: number, message: string): Problem => ({
    code: 'InvalidField',
    expected: 'a recipient that the contract mints to',
    received: 'NoAddress',
    path: [property, String(index), 'fid'],
    message: `${property}[${index}]: ${message}`,
  });
  const [first, ...others] = recipients.flatMap((recipient, index) =>
    recipient.address === undefined ? [problem(index, unresolved(recipient))] : [],
  );
  if (first) throw invalidFields([first, ...others]);
  const resolved = recipients as readonly (Recipient & { readonly address: Address })[];
  const deployer = (await findCollection(db, network, minted.contract))?.deployer;
  const from = deployer ?? ANY_CALLER;
  const { mint, ...terms } = await readPreviewTerms(client, minted, from, clock());
  const mints = await simulateMints(client, from, minted.contract, resolved, terms, mint);
  let left = terms.balance;
  return mints.map(({ call, outcome }, index): MintQuote => {
    const { address } = resolved[index] as { readonly address: Address };
    const quote = { address, mint, call };
    if ('rejection' in outcome) return { ...quote, cost: call.value, error: outcome.rejection.reason };
    if (deployer !== undefined && call.value > left) {
      const error = `The deployer ${deployer} has ${terms.balance} wei, which does not pay for this and those before it: it lacks ${call.value - left} wei.`;
      return { ...quote, cost: call.value, error };
    }
    left -= call.value;
    return { ...quote, cost: call.value + outcome.gas * terms.gasPrice };
  });
};
