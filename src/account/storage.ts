import { encodeFunctionData } from 'viem';
import { invalidField } from '../error.js';
import { isRegistered, readRentPrice, withPriceMargin } from '../onchain/registry/account-state.js';
import { registryClient, storageRegistry } from '../onchain/registry/contract.js';
import type { Call } from '../onchain/transaction/call.js';
import type { UsableWallet } from '../onchain/transaction/wallet.js';
import type { IdempotencyRecord } from '../write/idempotency-record.js';
import { type AccountDependencies, RECEIPT_WAIT_MS } from './dependencies.js';
import { stillPending } from './registry-sender.js';

export interface StoragePurchase {
  readonly appId: string;
  readonly wallet: UsableWallet;
  readonly fid: number;
  readonly units: number;
  readonly idempotencyRecord: IdempotencyRecord | undefined;
}

/**
 * Rents storage for an account for a year, and waits until the rent is stored.
 * @throws AppError `invalid` for an account that is not registered (the contract would keep the money), a wallet that
 *   cannot pay, an exceeded daily limit or what the contract rejects; `internal` if it is not mined in time
 */
export const buyStorage = async (deps: AccountDependencies, purchase: StoragePurchase): Promise<void> => {
  const { appId, wallet, fid, units, idempotencyRecord } = purchase;
  const plan = async (): Promise<Call> => {
    const client = registryClient(deps.networks);
    if (!(await isRegistered(client, fid))) {
      throw invalidField('fid', `fid ${fid} is not registered, so nobody could use the storage.`);
    }
    const value = withPriceMargin(await readRentPrice(client, units));
    const data = encodeFunctionData({
      abi: storageRegistry.abi,
      functionName: 'rent',
      args: [BigInt(fid), BigInt(units)],
    });
    return { to: storageRegistry.address, data, value, purpose: 'rent' };
  };
  const sent = await deps.registry.send({ spenderId: appId, wallet, plan, idempotencyRecord });
  if (await deps.registry.receipt(sent.id, RECEIPT_WAIT_MS)) return;
  throw stillPending(
    sent.hash,
    'Send the same request again, with the same idem, to wait for it; without idem that would rent more.',
  );
};
