import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPLOY, MINT, type NftNetwork, someone, startNftNetwork } from './support/nft.js';

/**
 * Several requests of one wallet at once, asked without the retries of `NftNetwork.deploy` and `mint`: each one waits
 * for its own transaction, however the waiting of the others begins and ends.
 */
let nft: NftNetwork;
let mining: NodeJS.Timeout | undefined;
beforeAll(async () => {
  nft = await startNftNetwork();
});
afterAll(async () => {
  clearInterval(mining);
  await nft.stop();
});

const CONCURRENCY = [0, 1, 2];

interface Minted {
  readonly transactions: readonly { readonly receipt: { readonly status: string } | null; readonly error?: string }[];
}

const mint = async (contract: string, index: number): Promise<string> => {
  const recipients = [{ address: someone(index) }];
  const body = { network: 'base', contract_address: contract, recipients };
  const answer = await nft.network.send('POST', MINT, body, nft.payer.headers);
  const [one] = (answer.body as Minted).transactions ?? [];
  return one?.receipt?.status ?? one?.error ?? `${answer.status} ${JSON.stringify(answer.body)}`;
};

const deploy = async (index: number): Promise<string> => {
  const body = { network: 'base', name: `Garden ${index}`, symbol: 'GRDN' };
  const answer = await nft.network.send('POST', DEPLOY, body, nft.payer.headers);
  return answer.status === 200 ? 'success' : `${answer.status} ${JSON.stringify(answer.body)}`;
};

/** @returns the outcomes of `rounds` rounds of requests at once, counted */
const count = async (rounds: number, ask: (index: number) => Promise<string>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const outcome of await Promise.all(CONCURRENCY.map(ask))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

describe.each([
  ['when each transaction makes a block', { rounds: 20, mine: () => nft.chain.test.setAutomine(true) }],
  [
    'when blocks come at intervals',
    {
      rounds: 4,
      mine: async () => {
        await nft.chain.test.setAutomine(false);
        // Anvil itself counts whole seconds.
        mining = setInterval(() => void nft.chain.mine().catch(() => undefined), 300);
      },
    },
  ],
])('%s', (_, { rounds, mine }) => {
  beforeAll(mine);

  test('concurrent mints of one wallet each get their receipt', async () => {
    const contract = await nft.collection();
    expect(await count(rounds, (index) => mint(contract, index))).toEqual({ success: CONCURRENCY.length * rounds });
  }, 120_000);

  test('concurrent deployments of one wallet are each answered when they are mined', async () => {
    expect(await count(rounds, deploy)).toEqual({ success: CONCURRENCY.length * rounds });
  }, 120_000);
});
