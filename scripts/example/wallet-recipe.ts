import { type Address, encodeFunctionData, type Hex, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { toHex } from '../../src/hex.js';
import { testTokenAbi } from '../../src/onchain/artifact/test-token.js';
import { localClient } from '../../src/onchain/local/chain.js';
import { derive } from '../../src/sample/random.js';
import { EXAMPLE_TOKEN } from '../../src/schema/example.js';
import { signRegister, signTransfer } from '../../test/support/registry.js';
import { USDC } from '../../test/support/x402.js';
import { once, type Recipes } from './recipe.js';
import type { SampleService } from './sample-service.js';

const HOUR_SECONDS = 3600;
const NOBODY = '0x0000000000000000000000000000000000000000';

/** What the development wallet pays for: collections, tokens, accounts, storage, and signed payments. */
export const walletRecipes = ({ send, run, chainUrl }: SampleService): Recipes => {
  const chain = localClient(chainUrl);
  const person = (name: string) => privateKeyToAccount(toHex(derive('example', 'person', name)));
  const inAnHour = () => BigInt(Math.floor(Date.now() / 1000) + HOUR_SECONDS);

  const deployed = once(() => send('deploy-erc721'));
  const contract = async () => ({
    contract_address: (await deployed()).body.collection.address as string,
    network: 'base',
  });
  const uploaded = once(async () => {
    const metadata = { name: 'First of all', image: 'https://image.example/1.png' };
    return send('upload-token-metadata', { body: { ...(await contract()), tokens: [{ token_id: '1', metadata }] } });
  });

  /** Puts the test token at the address of USDC, and gives the wallet some. */
  const usdc = once(async () => {
    const [wallet] = /0x[0-9a-fA-F]{40}/.exec(await run('wallet', 'list', '--json')) ?? [];
    if (wallet === undefined) throw new Error('there is no development wallet');
    const bytecode = await chain.getCode({ address: EXAMPLE_TOKEN });
    await chain.setCode({ address: USDC, bytecode: bytecode ?? '0x' });
    const args = [wallet as Address, parseUnits('10', 6)] as const;
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args });
    const [from] = (await chain.request({ method: 'eth_accounts' } as never)) as Address[];
    const params = [{ from, to: USDC, data }];
    const hash = (await chain.request({ method: 'eth_sendTransaction', params } as never)) as Hex;
    await chain.waitForTransactionReceipt({ hash });
  });

  const reserved = once(() => send('get-fresh-account-FID'));
  const registered = once(async () => {
    const { fid } = (await reserved()).body as { fid: number };
    const somebody = person('reserved');
    const deadline = inAnHour();
    const message = { fid: BigInt(fid), to: somebody.address, nonce: 0n, deadline };
    return send('register-account', {
      body: {
        fid,
        requested_user_custody_address: somebody.address,
        deadline: Number(deadline),
        signature: await signTransfer(somebody, message),
        fname: `keeper${fid}`,
        metadata: { display_name: 'Keeper', bio: 'New in the harbor.' },
      },
    });
  });
  const page = once(() => {
    const to = { network: 'base', address: `0x${'44'.repeat(20)}`, token_contract_address: EXAMPLE_TOKEN, amount: 5 };
    const config = { line_items: [{ name: 'Tomato seeds', description: 'A bag of 20.' }] };
    return send('create-transaction-pay-frame', { body: { transaction: { to }, config } });
  });

  return {
    'deploy-erc721': deployed,
    'mint-nft': async () =>
      send('mint-nft', { body: { ...(await contract()), recipients: [{ fid: 1, quantity: 1 }] } }),
    'simulate-nft-mint': async () => {
      const { contract_address, network } = await contract();
      return send('simulate-nft-mint', { query: { nft_contract_address: contract_address, network } });
    },
    'upload-token-metadata': uploaded,
    'fetch-nft-metadata': async () => {
      const [, collection_id = ''] = /metadata\/([^/]+)\/1$/.exec((await uploaded()).body.tokens[0].uri) ?? [];
      return send('fetch-nft-metadata', { params: { collection_id, token_id: '1' } });
    },
    'deploy-fungible': () => {
      const form = new FormData();
      const parts = { owner: `0x${'44'.repeat(20)}`, name: 'Harbor Point', symbol: 'HARBOR' };
      for (const [name, value] of Object.entries({ ...parts, 'metadata[description]': 'Points of the harbor.' }))
        form.set(name, value);
      return send('deploy-fungible', { body: form });
    },
    'create-x402-signature': async () => {
      await usdc();
      return send('create-x402-signature');
    },
    'get-fresh-account-FID': reserved,
    'register-account': registered,
    'register-account-onchain': async () => {
      const somebody = person('onchain');
      const deadline = inAnHour();
      const registration = {
        custody_address: somebody.address,
        recovery_address: NOBODY,
        deadline: Number(deadline),
        signature: await signRegister(somebody, { recovery: NOBODY, nonce: 0n, deadline }),
      };
      return send('register-account-onchain', { body: { registration } });
    },
    'buy-storage': async () => {
      const { fid } = (await registered()).body.user as { fid: number };
      return send('buy-storage', { body: { fid, units: 1, idem: 'storage-17' } });
    },
    'create-transaction-pay-frame': page,
    'get-transaction-pay-frame': async () =>
      send('get-transaction-pay-frame', { query: { id: (await page()).body.transaction_frame.id } }),
  };
};
