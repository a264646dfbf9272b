import { parseEther } from 'viem';
import { DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import { localClient } from '../../src/onchain/local/chain.js';
import { multicall3Code } from '../../src/onchain/local/multicall3-code.js';
import { registerLocalAccounts } from '../../src/onchain/local/registry.js';
import { MULTICALL3 } from '../../src/onchain/network.js';
import { makeWallet } from '../../src/onchain/transaction/wallet.js';
import { insertOrganization } from '../../src/store/access/organization.js';
import type { TestChain } from '../support/chain.js';
import { startNetwork } from '../support/network.js';
import { startRegistryChain } from '../support/registry.js';
import { type Environment, startEnvironment } from './environment.js';

/** A call that registrations may contain: `Multicall3.getBlockNumber()`. */
export const ALLOWED_CALL = { target: MULTICALL3, data: '0x42cbb15c' } as const;

/** The service over a chain with the contracts of accounts. */
export interface AccountEnvironment extends Environment {
  readonly chain: TestChain;
  /** Id of a wallet of the callers with 1,000 ether. */
  readonly walletId: string;
  /** Id of a wallet of another organization. */
  readonly foreignWalletId: string;
}

export const startAccountEnvironment = async (): Promise<AccountEnvironment> => {
  const chain = await startRegistryChain();
  await chain.test.setCode({ address: MULTICALL3, bytecode: multicall3Code });
  // The accounts of the seed are not on the chain.
  await registerLocalAccounts(localClient(chain.url), [], 1_000_000);
  const environment = await startEnvironment((variables) =>
    startNetwork({
      ...variables,
      CASTELLAN_RPC_OPTIMISM: chain.url,
      CASTELLAN_RESERVATIONS: '1000',
      CASTELLAN_REGISTRATION_CALLS: `${ALLOWED_CALL.target}:${ALLOWED_CALL.data}`,
    }),
  );
  const { db } = environment.network.app.core;
  const { masterKey } = environment.network.config;
  const walletOf = async (organizationId: string): Promise<string> => {
    const { id, address } = await makeWallet(db, masterKey, { organizationId, name: 'test', now: new Date() });
    await chain.test.setBalance({ address, value: parseEther('1000') });
    return id;
  };
  const other = (await insertOrganization(db, { name: 'elsewhere' })) as { readonly id: string };
  return {
    ...environment,
    chain,
    walletId: await walletOf(DEFAULT_ORGANIZATION_ID),
    foreignWalletId: await walletOf(other.id),
    stop: async () => {
      await environment.stop();
      await chain.stop();
    },
  };
};
