import { describe, expect, it } from 'vitest';
import { PUBLIC_CHAINS } from '../network.js';
import { DEFAULT_TOKENS } from './default-token.js';
import { createTokenLists, parseTokenList } from './list.js';
import { NATIVE_ADDRESS } from './native-coin.js';
import { PUBLIC_FEEDS } from './price-feed.js';

const token = {
  chainId: 8453,
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
};
const list = (...tokens: unknown[]): string => JSON.stringify({ name: 'A list', tokens });

describe('token lists', () => {
  it('reads tokens, in lower case and with addresses of images alone', () => {
    const logos = ['https://image.example/a.png', 'ipfs://Qm', 'javascript:alert(1)', undefined];
    const read = parseTokenList(list(...logos.map((logoURI) => ({ ...token, logoURI }))));
    expect(read[0]).toEqual({ ...token, address: token.address.toLowerCase(), imageUrl: logos[0] });
    expect(read.map(({ imageUrl }) => imageUrl)).toEqual([logos[0], logos[1], null, null]);
  });

  it('leaves out tokens of chains with other addresses', () =>
    expect(parseTokenList(list({ ...token, address: 'So11111111111111111111111111111111111111112' }))).toEqual([]));

  it.each([
    ['is not JSON', '{'],
    ['is not a JSON object', '3'],
    ['name: is missing', JSON.stringify({ tokens: [] })],
    ['tokens: is no array', JSON.stringify({ name: 'A list', tokens: {} })],
    ['tokens[1]: is no object', list(token, 'USDC')],
    ['tokens[0].chainId', list({ ...token, chainId: '8453' })],
    ['tokens[0].address', list({ ...token, address: '0x12' })],
    ['tokens[0].address', list({ ...token, address: `0x${'aB'.repeat(20)}` })],
    ['tokens[0].decimals', list({ ...token, decimals: 256 })],
    ['tokens[0].name', list({ ...token, name: 'n'.repeat(61) })],
    ['tokens[0].symbol', list({ ...token, symbol: undefined })],
    ['tokens[0].logoURI', list({ ...token, logoURI: 5 })],
    ['and 3 more', list(...Array.from({ length: 8 }, () => ({ ...token, decimals: -1 })))],
  ])('names the problem: %s', (problem, text) => expect(() => parseTokenList(text)).toThrow(problem));

  it('lets a later list speak for a token of an earlier one', () => {
    const [one] = parseTokenList(list(token));
    const [two] = parseTokenList(list({ ...token, symbol: 'USDC2' }));
    if (!one || !two) throw new Error('the lists are empty');
    expect([
      ...createTokenLists([[one], [two]])
        .of(8453)
        .values(),
    ]).toEqual([two]);
    expect(createTokenLists([]).of(1).size).toBe(0);
  });

  it('begins with tokens of the networks that are right in themselves, and have the price feeds of their own', () => {
    const lists = createTokenLists([DEFAULT_TOKENS]);
    for (const network of ['ethereum', 'optimism', 'base', 'arbitrum', 'base-sepolia'] as const) {
      const symbols = [...lists.of(PUBLIC_CHAINS[network].id).values()].map(({ symbol }) => symbol);
      expect([network, symbols]).toEqual([network, expect.arrayContaining(['USDC', 'WETH'])]);
    }
    const asList = JSON.stringify({ name: 'Default', tokens: DEFAULT_TOKENS.map(({ imageUrl: _, ...one }) => one) });
    expect(parseTokenList(asList)).toEqual(DEFAULT_TOKENS);
    for (const [chainId, feeds] of PUBLIC_FEEDS) {
      const priced = feeds.flatMap(({ tokens }) => tokens).filter((address) => address !== NATIVE_ADDRESS);
      expect(priced.filter((address) => !lists.of(chainId).has(address))).toEqual([]);
    }
  });
});
