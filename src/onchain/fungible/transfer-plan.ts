import { type Address, isAddressEqual, zeroAddress } from 'viem';
import type { Database } from '../../db/database.js';
import type { ChainClient, Network } from '../network.js';
import { type Recipient, resolveRecipients, unresolved } from '../nft/mint-recipient.js';
import type { Call, Planned, SendFailure } from '../transaction/call.js';
import { callFailure, estimate, mapInBatches } from '../transaction/preparation.js';
import { amountInUnits } from './amount.js';
import { balanceOf, isRefusal, type SentToken, transferCall } from './transfer.js';

/** One payment of a request. */
export interface Payment {
  readonly fid: number;
  /** Whole tokens. */
  readonly amount: number;
}

export interface TransferPlan {
  readonly network: Network;
  /** The wallet that pays. */
  readonly from: Address;
  readonly token: SentToken;
  readonly payments: readonly Payment[];
}

interface Dependencies {
  readonly db: Database;
  readonly client: ChainClient;
}

/** A payment that the rules allow, before it was tried. */
interface Draft {
  readonly call: Call;
  /** In the smallest unit. */
  readonly units: bigint;
}

/** Concurrent payments that are tried: endpoints limit requests by the second. */
const CONCURRENCY = 25;

/**
 * Highest gas limit of a payment, which is the estimate and a quarter of it. Tokens with rules and contract wallets need less
 * than half of this. Without a bound, a recipient's contract could use up the gas money of the wallet.
 */
const MAX_GAS = 500_000n;

const fail = (code: string, message: string): SendFailure => ({ failure: { code, message } });

/** @returns the addresses of contract wallets that do not exist on this chain */
const findMissingWallets = async (
  client: ChainClient,
  recipients: readonly Recipient[],
): Promise<ReadonlySet<Address>> => {
  const wallets = new Set(
    recipients.flatMap(({ address, isContractWallet }) => (isContractWallet ? (address ?? []) : [])),
  );
  const missing = await mapInBatches([...wallets], CONCURRENCY, async (address) =>
    (await client.getCode({ address })) === undefined ? [address] : [],
  );
  return new Set(missing.flat());
};

const lacking = (from: Address, units: bigint): SendFailure =>
  fail(
    'InsufficientFunds',
    `The wallet ${from} lacks ${units} of the smallest unit for this and what is sent before it.`,
  );

/** @param balance of the wallet, in the smallest unit of the token */
const draft = (
  { from, token }: TransferPlan,
  { amount }: Payment,
  recipient: Recipient,
  balance: bigint,
): Draft | SendFailure => {
  const { address } = recipient;
  if (address === undefined) return fail('NoAddress', unresolved(recipient));
  if (isAddressEqual(address, zeroAddress)) return fail('NoAddress', "The account's address is the zero address.");
  if (isAddressEqual(address, from)) return fail('OwnWallet', 'The account belongs to the wallet that pays.');
  if (token.contract && isAddressEqual(address, token.contract))
    return fail('NoAddress', "The account's address is the token's own contract, which could never return the tokens.");
  const units = amountInUnits(amount, token.decimals);
  if (units === 0n)
    return fail('TooLittle', `The token has ${token.decimals} decimals, so nothing of ${amount} is left.`);
  if (units > balance) return lacking(from, units - balance);
  return { call: transferCall(token, address, units), units };
};

/** Tries a payment on its own, without sending it. */
const attempt = async (client: ChainClient, from: Address, { call }: Draft): Promise<Planned> => {
  const estimated = await estimate(client, from, call);
  if ('failure' in estimated) return estimated;
  if (estimated.gas > MAX_GAS) {
    return fail(
      'TooMuchGas',
      `Its gas limit would be ${estimated.gas}, and that of a payment is at most ${MAX_GAS} here.`,
    );
  }
  try {
    const { data } = await client.call({ account: from, to: call.to as Address, data: call.data, value: call.value });
    if (call.data !== '0x' && isRefusal(data))
      return fail('Refused', "The token's contract refuses it (returns false).");
  } catch (error) {
    return callFailure(error);
  }
  return { ...call, gas: estimated.gas };
};

/**
 * Plans a transfer for each payment that would succeed now. Payments use up the balance in their order; one that is not
 * possible does not affect the others.
 * @returns in the order of the payments
 * @throws what the client throws if the chain does not respond
 */
export const planTransfers = async ({ db, client }: Dependencies, plan: TransferPlan): Promise<Planned[]> => {
  const { network, from, token, payments } = plan;
  const recipients = await resolveRecipients(
    db,
    payments.map(({ fid }) => ({ fid })),
    network,
    'recipients',
  );
  const [missing, balance] = await Promise.all([
    findMissingWallets(client, recipients),
    balanceOf(client, token, from),
  ]);
  const drafts = payments.map((payment, index): Draft | SendFailure => {
    const recipient = recipients[index] as Recipient;
    if (recipient.address !== undefined && missing.has(recipient.address))
      return fail('NoAddress', `The contract wallet ${recipient.address} of the account does not exist on ${network}.`);
    return draft(plan, payment, recipient, balance);
  });
  const attempts = await mapInBatches(drafts, CONCURRENCY, async (one) =>
    'failure' in one ? one : attempt(client, from, one),
  );
  // Of the coin, the sender subtracts what each transaction costs, with its gas.
  if (token.contract === undefined) return attempts;
  let left = balance;
  return attempts.map((planned, index) => {
    const one = drafts[index] as Draft | SendFailure;
    if ('failure' in planned || 'failure' in one) return planned;
    if (one.units > left) return lacking(from, one.units - left);
    left -= one.units;
    return planned;
  });
};
