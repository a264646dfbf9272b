import type { Address } from 'viem';
import type { Database } from '../../db/database.js';
import { invalidFields, type Problem } from '../../error.js';
import type { ChainClient, Network } from '../network.js';
import { findCollection } from './collection.js';
import { type Minted, readTerms, simulateMints } from './mint.js';
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
  readonly call: SimulatedCall;
  /** Wei: the value plus the gas at its current price. */
  readonly cost: bigint;
}

/**
 * Simulates a mint as it would be sent now. The sender is the wallet that deployed the collection, which must be able
 * to pay; for a collection of another service it is an arbitrary account with unlimited funds. Recipients are simulated
 * in order, so that earlier ones use up the supply and their limits.
 * @throws AppError invalid with a problem for each recipient whose mint would fail, and what `readTerms` throws
 */
export const simulateBatch = async (
  { db, client, clock }: Dependencies,
  { network, minted, recipients, property }: SimulationRequest,
): Promise<MintQuote[]> => {
  const problem = (index: number, message: string, received: string, member: readonly string[] = []): Problem => ({
    code: 'InvalidField',
    expected: 'a recipient that the contract mints to',
    received,
    path: [property, String(index), ...member],
    message: `${property}[${index}]: ${message}`,
  });
  const stop = ([first, ...others]: readonly Problem[]): void => {
    if (first) throw invalidFields([first, ...others]);
  };
  stop(
    recipients.flatMap((recipient, index) =>
      recipient.address === undefined ? [problem(index, unresolved(recipient), 'NoAddress', ['fid'])] : [],
    ),
  );
  const resolved = recipients as readonly (Recipient & { readonly address: Address })[];
  const deployer = (await findCollection(db, network, minted.contract))?.deployer;
  const from = deployer ?? ANY_CALLER;
  const terms = await readTerms(client, minted, from, clock());
  const mints = await simulateMints(client, from, minted.contract, resolved, terms);
  let left = terms.balance;
  stop(
    mints.flatMap(({ call, outcome }, index) => {
      if ('rejection' in outcome) return [problem(index, outcome.rejection.reason, outcome.rejection.name)];
      if (deployer === undefined || call.value <= left) {
        left -= call.value;
        return [];
      }
      const message = `The deployer ${deployer} has ${terms.balance} wei, which does not pay for this and those before it: it lacks ${call.value - left} wei.`;
      return [problem(index, message, 'InsufficientFunds')];
    }),
  );
  return mints.map(({ call, outcome }, index) => ({
    address: (resolved[index] as { readonly address: Address }).address,
    call,
    cost: call.value + ('gas' in outcome ? outcome.gas : 0n) * terms.gasPrice,
  }));
};
