import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type TestChain } from './support/chain.js';
import { deploySeries } from './support/series.js';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

interface Terms {
  readonly maxSupply: number;
  readonly maxPerTx: number;
  readonly maxPerWallet: number;
  readonly price: number;
}

/** A request for tokens, some seconds after the one before. */
interface Step {
  readonly isGift: boolean;
  readonly wallet: number;
  readonly quantity: number;
  /** What is paid beside the price of all. */
  readonly excess: number;
  readonly wait: number;
}

const WINDOW = { opens: 20, lasts: 60 };

/** The rules as the interface puts them, apart from how the contract does. */
class Model {
  readonly #terms: Terms;
  readonly #start: number;
  readonly #end: number;
  readonly #owners: number[] = [];
  constructor(terms: Terms, start: number, end: number) {
    this.#terms = terms;
    this.#start = start;
    this.#end = end;
  }

  get total(): number {
    return this.#owners.length;
  }

  balance(wallet: number): number {
    return this.#owners.filter((owner) => owner === wallet).length;
  }

  /** @returns the contract's word for why not; undefined where the tokens are given. */
  ask({ isGift, wallet, quantity }: Step, paid: bigint, time: number): string | undefined {
    const { maxSupply, maxPerTx, maxPerWallet, price } = this.#terms;
    if (!isGift && time < this.#start) return 'MintNotStarted';
    if (!isGift && time >= this.#end) return 'MintEnded';
    if (!isGift && maxPerTx > 0 && quantity > maxPerTx) return 'TooManyPerTransaction';
    if (maxSupply > 0 && this.total + quantity > maxSupply) return 'SoldOut';
    if (!isGift && maxPerWallet > 0 && this.balance(wallet) + quantity > maxPerWallet) return 'TooManyPerWallet';
    if (!isGift && paid !== BigInt(price * quantity)) return 'WrongValue';
    if (quantity === 0) return 'MintZeroQuantity';
    this.#owners.push(...Array<number>(quantity).fill(wallet));
    return undefined;
  }

  value({ quantity, excess }: Step): bigint {
    return BigInt(Math.max(0, this.#terms.price * quantity + excess));
  }

  owner(tokenId: number): number | undefined {
    return this.#owners[tokenId - 1];
  }
}

const terms: fc.Arbitrary<Terms> = fc.record({
  maxSupply: fc.nat(12),
  maxPerTx: fc.nat(4),
  maxPerWallet: fc.nat(6),
  price: fc.nat(3),
});

const step: fc.Arbitrary<Step> = fc.record({
  isGift: fc.boolean(),
  wallet: fc.integer({ min: 1, max: 3 }),
  quantity: fc.nat(5),
  excess: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  wait: fc.integer({ min: 1, max: 12 }),
});

test('random terms hold for random sequences of mints and gifts', async () => {
  const seen = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(terms, fc.array(step, { minLength: 4, maxLength: 16 }), async (rules, steps) => {
      const begin = (await chain.now()) + 5;
      const [start, end] = [begin + WINDOW.opens, begin + WINDOW.opens + WINDOW.lasts];
      const { maxPerTx, maxPerWallet } = rules;
      const series = await deploySeries(chain, {
        ...{ maxPerTx, maxPerWallet, startTime: start, endTime: end },
        maxSupply: BigInt(rules.maxSupply),
        pricePerToken: BigInt(rules.price),
      });
      const model = new Model(rules, start, end);
      let [time, paid] = [begin, 0n];
      for (const one of steps) {
        time += one.wait;
        await chain.setNextTime(time);
        const value = one.isGift ? 0n : model.value(one);
        const name = one.isGift ? 'airdrop' : 'mint';
        const outcome = await series[name](chain.account(one.wallet).address, BigInt(one.quantity), { value });
        const expected = model.ask(one, value, time);
        expect(outcome.error?.[0]).toBe(expected);
        expect(outcome.isDone).toBe(expected === undefined);
        if (outcome.isDone) paid += value;
        seen.add(expected);
      }
      expect(await series.read.totalSupply()).toBe(BigInt(model.total));
      expect(await chain.public.getBalance({ address: series.address })).toBe(paid);
      for (const wallet of [1, 2, 3])
        expect(await series.read.balanceOf([chain.account(wallet).address])).toBe(BigInt(model.balance(wallet)));
      for (let id = 1; id <= model.total; id++)
        expect(await series.read.ownerOf([BigInt(id)])).toBe(chain.account(model.owner(id) as number).address);
    }),
    { numRuns: 20 },
  );
  // The sequences came by every way out.
  expect([...seen].map(String).sort()).toEqual([
    ...['MintEnded', 'MintNotStarted', 'MintZeroQuantity', 'SoldOut', 'TooManyPerTransaction', 'TooManyPerWallet'],
    ...['WrongValue', 'undefined'],
  ]);
});
