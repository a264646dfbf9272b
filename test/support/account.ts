import { type Address, type Hex, type LocalAccount, parseEther, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { DEFAULT_ORGANIZATION_ID } from '../../src/access/key.js';
import { toHex } from '../../src/hex.js';
import { createLog } from '../../src/log.js';
import { multicall3Code } from '../../src/onchain/local/multicall3-code.js';
import { MULTICALL3 } from '../../src/onchain/network.js';
import { makeWallet, type UsableWallet } from '../../src/onchain/transaction/wallet.js';
import { generateSeed, seedSigner } from '../../src/signer/seed.js';
import type { TestChain } from './chain.js';
import { type Network, startNetwork, type TestResponse } from './network.js';
import {
  inAnHour,
  nonceOf,
  requestedKey,
  signAdd,
  signRegister,
  signTransfer,
  startRegistryChain,
} from './registry.js';

/** The service over a chain with the contracts of accounts, and a wallet with ether. */
export interface AccountNetwork {
  readonly network: Network;
  readonly chain: TestChain;
  readonly wallet: UsableWallet;
  /** With the wallet. */
  readonly headers: Record<string, string>;
  /** @returns the answer of register-account-onchain for a new person, with these members changed */
  registerOnchain(change?: object, custody?: LocalAccount): Promise<TestResponse>;
  /** @returns a wallet of the same organization with this balance */
  fund(ether: string): Promise<UsableWallet>;
  stop(): Promise<void>;
}

/** @returns an address with its key, which nobody used before */
export const newPerson = (): LocalAccount => privateKeyToAccount(generatePrivateKey());

/** @returns the body of register-account-onchain, signed by the person */
export const onchainBody = async (
  chain: TestChain,
  custody: LocalAccount,
  { nonce, deadline, recovery = zeroAddress }: { nonce?: bigint; deadline?: bigint; recovery?: Address } = {},
) => {
  const until = deadline ?? (await inAnHour(chain));
  const message = { recovery, nonce: nonce ?? (await nonceOf(chain, 'idGateway', custody.address)), deadline: until };
  return {
    registration: {
      custody_address: custody.address,
      recovery_address: recovery,
      deadline: Number(until),
      signature: await signRegister(custody, message),
    },
  };
};

/** @returns a member of `signers`, requested by an account of the chain */
export const onchainSigner = async (
  chain: TestChain,
  custody: LocalAccount,
  requester: { readonly fid: bigint; readonly custody: LocalAccount },
  index = 0,
) => {
  const seed = generateSeed();
  const deadline = await inAnHour(chain);
  const key = await requestedKey(toHex(seedSigner.publicKey(seed)), requester, deadline);
  const nonce = (await nonceOf(chain, 'keyGateway', custody.address)) + BigInt(index);
  const signature = await signAdd(custody, { ...key, nonce, deadline });
  return { seed, body: { public_key: key.key, metadata: key.metadata, deadline: Number(deadline), signature } };
};

/** @returns the body of register-account, signed by the person */
export const transferBody = async (
  chain: TestChain,
  fid: number,
  person: LocalAccount,
  { nonce, deadline }: { nonce?: bigint; deadline?: bigint } = {},
): Promise<{ fid: number; requested_user_custody_address: Address; deadline: number; signature: Hex }> => {
  const until = deadline ?? (await inAnHour(chain));
  const signed = { nonce: nonce ?? (await nonceOf(chain, 'idRegistry', person.address)), deadline: until };
  return {
    fid,
    requested_user_custody_address: person.address,
    deadline: Number(until),
    signature: await signTransfer(person, { fid: BigInt(fid), to: person.address, ...signed }),
  };
};

/** @param environment of the service @param url of an endpoint in front of the chain */
export const startAccountNetwork = async (
  environment: Record<string, string> = {},
  options: { readonly url?: (chain: TestChain) => Promise<string>; readonly clock?: () => number } = {},
): Promise<AccountNetwork> => {
  const chain = await startRegistryChain();
  // On OP Mainnet, as on every public chain.
  await chain.test.setCode({ address: MULTICALL3, bytecode: multicall3Code });
  const network = await startNetwork(
    { CASTELLAN_RPC_OPTIMISM: (await options.url?.(chain)) ?? chain.url, ...environment },
    process.env.DEBUG_LOG ? createLog('error') : undefined,
    options.clock ? { clock: options.clock } : {},
  );
  const fund = async (ether: string): Promise<UsableWallet> => {
    const { db } = network.app.core;
    const wallet = { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() };
    const made = await makeWallet(db, network.config.masterKey, wallet);
    await chain.test.setBalance({ address: made.address, value: parseEther(ether as `${number}`) });
    return made;
  };
  const wallet = await fund('1000');
  const headers = { 'x-wallet-id': wallet.id };
  return {
    network,
    chain,
    wallet,
    headers,
    fund,
    registerOnchain: async (change = {}, custody = newPerson()) =>
      network.send('POST', '/v2/social/user/register/', { ...(await onchainBody(chain, custody)), ...change }, headers),
    stop: async () => {
      await network.stop();
      await chain.stop();
    },
  };
};
