import { randomUUID } from 'node:crypto';
import { type Address, parseUnits } from 'viem';
import { expect } from 'vitest';
import { testTokenAbi } from '../../src/onchain/artifact/test-token.js';
import { someone } from '../support/nft.js';
import { FIDS } from '../support/seed.js';
import { mintToken } from '../support/token-environment.js';
import { type Case, type Clients, casesOf } from './case.js';
import type { PayEnvironment } from './pay-environment.js';

const frameOf = (token: Address, more: object = {}) => ({
  transaction: {
    to: { network: 'base' as const, address: someone(20), token_contract_address: token, amount: 1.5 },
  },
  config: { line_items: [{ name: 'Seeds', description: 'A bag of 20' }] },
  ...more,
});

const create = ({ api }: Clients, { token }: PayEnvironment, more: object = {}) =>
  api.createTransactionPayFrame(frameOf(token, more));

const stored = new WeakMap<PayEnvironment, Promise<string>>();

/** @returns the id of a page that is there whatever the key of the clients may do */
const storedFrame = (environment: PayEnvironment): Promise<string> => {
  const known =
    stored.get(environment) ?? create(environment.clients(), environment).then((one) => one.transaction_frame.id);
  stored.set(environment, known);
  return known;
};

/** Pages that collect payments. */
export const payFrameCases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'create-transaction-pay-frame',
    does: 'makes a page for a payment, once for an idem',
    call: (clients, environment) => create(clients, environment),
    look: async (clients, environment) => {
      const line_items = [{ name: 'Seeds', description: 'A bag of 20', image: 'https://shop.example/seeds.png' }];
      const action = { text: 'Buy', text_color: '#ffffff', button_color: '#000000' };
      const config = { line_items, action, allowlist_fids: [FIDS.alice, FIDS.bob] };
      const idem = randomUUID();
      const { transaction_frame: first } = await create(clients, environment, { config, idem });
      expect(first).toMatchObject({ config, status: 'created', type: 'pay' });
      expect((await create(clients, environment, { config, idem })).transaction_frame).toEqual(first);
    },
    errors: {
      409: async (clients, environment) => {
        const idem = randomUUID();
        await create(clients, environment, { idem });
        const config = { line_items: [{ name: 'Bulbs', description: 'Tulips' }] };
        return create(clients, environment, { idem, config });
      },
    },
  },
  {
    id: 'get-transaction-pay-frame',
    does: 'tells when the chain has the payment',
    call: async ({ api }, environment) => api.getTransactionPayFrame({ id: await storedFrame(environment) }),
    look: async (clients, environment) => {
      const { nft, token, network } = environment;
      const { id } = (await create(clients, environment)).transaction_frame;
      const payer = nft.chain.account(4);
      await mintToken(nft.chain, token, payer.address, parseUnits('2', 6));
      const hash = await nft.chain.wallet.writeContract({
        account: payer,
        chain: nft.chain.wallet.chain,
        address: token,
        abi: testTokenAbi,
        functionName: 'transfer',
        args: [someone(20), parseUnits('1.5', 6)],
      });
      await nft.chain.receipt(hash);
      await network.send('POST', `/pay/${id}/transaction`, { hash });
      expect((await clients.api.getTransactionPayFrame({ id })).transaction_frame.status).toBe('created');
      await nft.chain.mine(4);
      await network.send('POST', `/pay/${id}/transaction`, { hash });
      expect((await clients.api.getTransactionPayFrame({ id })).transaction_frame.status).toBe('completed');
    },
    errors: {
      404: ({ api }) => api.getTransactionPayFrame({ id: '00000000-0000-4000-8000-000000000000' }),
    },
  },
);
