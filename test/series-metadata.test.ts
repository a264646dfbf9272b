import fc from 'fast-check';
import { maxUint256, parseEventLogs, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesCollectionAbi } from '../src/onchain/artifact/series-collection.js';
import { startChain, type TestChain } from './support/chain.js';
import { attemptSeries, deploySeries, type Series, type TransactionResult } from './support/series.js';

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const who = (index: number) => chain.account(index).address;
const events = ({ receipt }: Pick<TransactionResult, 'receipt'>) =>
  parseEventLogs({ abi: seriesCollectionAbi, logs: receipt.logs }).map(({ eventName, args }) => [eventName, args]);
const refused = (...error: readonly unknown[]) => ({ isDone: false, error });

/** What a wallet or a market would read. */
const contractJson = async (series: Series): Promise<unknown> => {
  const [head, body] = (await series.read.contractURI()).split(',');
  expect(head).toBe('data:application/json;base64');
  const bytes = Buffer.from(body as string, 'base64');
  expect(bytes.toString('base64')).toBe(body);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
};

describe('the metadata of a collection', () => {
  test('is that of the deployment, with any characters', async () => {
    const texts = {
      name: '"Quoted" \\ and \u{1f3f0}\u200d\u{1f308}',
      symbol: '\u03a3"',
      description: 'First line\nsecond\r\n\ttabbed \\"\\n\b\f\u0000\u001f\u007f\u2028 </script> # % ,',
      image: 'ipfs://bafy/image 1.png?a="b"#c',
      externalLink: 'https://example.org/?q="\\',
    };
    const series = await deploySeries(chain, texts);
    const { externalLink: external_link, ...others } = texts;
    expect(await contractJson(series)).toEqual({ ...others, external_link });
    expect([await series.read.name(), await series.read.symbol()]).toEqual([texts.name, texts.symbol]);
  });

  test('omits what is empty', async () => {
    expect(await contractJson(await deploySeries(chain))).toEqual({ name: 'Series', symbol: 'SER' });
    expect(await contractJson(await deploySeries(chain, { image: 'ipfs://a' }))).toEqual({
      ...{ name: 'Series', symbol: 'SER', image: 'ipfs://a' },
    });
  });

  test('is valid JSON for any text', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(text, text, text), async ([name, description, externalLink]) => {
        const series = await deploySeries(chain, { name, description, externalLink });
        const members = Object.entries({ description, external_link: externalLink }).filter(
          ([, value]) => value !== '',
        );
        expect(await contractJson(series)).toEqual({ name, symbol: 'SER', ...Object.fromEntries(members) });
      }),
      { numRuns: 25 },
    );
  });

  test('may be as long as the code of a contract', async () => {
    // {"name":"Series","symbol":"SER","description":""} and what Base64 makes of it.
    const fits = ((24_576 - 'data:application/json;base64,'.length) * 3) / 4;
    const longest = Math.floor(fits / 3) * 3 - 49;
    const series = await deploySeries(chain, { description: 'x'.repeat(longest) });
    expect(await contractJson(series)).toMatchObject({ description: 'x'.repeat(longest) });
    const length = (await series.read.contractURI()).length;
    expect(await attemptSeries(chain, { description: 'x'.repeat(longest + 1) })).toMatchObject(
      refused('MetadataTooLong', BigInt(length + 4), 24_576n),
    );
  });
});

describe('the metadata of a token', () => {
  test('is that of the collection until a base URI is set', async () => {
    const series = await deploySeries(chain, { image: 'ipfs://bafy' });
    await series.mint(who(1), 2n);
    expect(await series.read.tokenURI([2n])).toBe(await series.read.contractURI());
  });

  test('is at the base URI plus the token id', async () => {
    const series = await deploySeries(chain, { tokenUri: 'https://example.org/series/' });
    await series.mint(who(1), 12n);
    expect(await series.read.tokenURI([1n])).toBe('https://example.org/series/1');
    expect(await series.read.tokenURI([12n])).toBe('https://example.org/series/12');
    for (const id of [0n, 13n, maxUint256])
      await expect(series.read.tokenURI([id])).rejects.toThrow('URIQueryForNonexistentToken');

    const moved = await series.send('setTokenUri', [`ipfs://${'b'.repeat(100)}/`]);
    expect(events(moved)).toEqual([['BatchMetadataUpdate', { _fromTokenId: 1n, _toTokenId: maxUint256 }]]);
    expect(await series.read.tokenURI([12n])).toBe(`ipfs://${'b'.repeat(100)}/12`);
    await series.send('setTokenUri', ['']);
    expect(await series.read.tokenURI([12n])).toBe(await series.read.contractURI());
  });
});

describe('royalties', () => {
  test('are the share of the price, rounded down, at any share and price', async () => {
    const share = fc.oneof(fc.constantFrom(0, 1, 2500, 9999, 10_000), fc.integer({ min: 0, max: 10_000 }));
    const price = fc.oneof(fc.constantFrom(0n, 1n, maxUint256), fc.bigInt({ min: 0n, max: maxUint256 }));
    await fc.assert(
      fc.asyncProperty(share, fc.array(price, { minLength: 1, maxLength: 8 }), async (royaltyBps, prices) => {
        const series = await deploySeries(chain, { royaltyBps, royaltyReceiver: who(7) });
        for (const one of prices)
          expect(await series.read.royaltyInfo([1n, one])).toEqual([who(7), (one * BigInt(royaltyBps)) / 10_000n]);
      }),
      { numRuns: 20 },
    );
  });

  test('are at most the whole price', async () => {
    for (const royaltyBps of [10_001, 65_535])
      expect(await attemptSeries(chain, { royaltyBps, royaltyReceiver: who(1) })).toMatchObject(
        refused('ERC2981InvalidDefaultRoyalty', BigInt(royaltyBps), 10_000n),
      );
  });

  test('need a receiver unless they are zero', async () => {
    expect(await attemptSeries(chain, { royaltyBps: 1 })).toMatchObject(
      refused('ERC2981InvalidDefaultRoyaltyReceiver', zeroAddress),
    );
    const series = await deploySeries(chain);
    expect(await series.read.royaltyInfo([1n, 10_000n])).toEqual([zeroAddress, 0n]);
  });
});

test('reports the supported interfaces', async () => {
  const series = await deploySeries(chain);
  const ids = {
    ERC165: '0x01ffc9a7',
    ERC721: '0x80ac58cd',
    ERC721Metadata: '0x5b5e139f',
    ERC2981: '0x2a55205a',
    ERC4906: '0x49064906',
  } as const;
  for (const id of Object.values(ids)) expect(await series.read.supportsInterface([id])).toBe(true);
  // The invalid id of ERC-165, and ERC-1155's.
  for (const id of ['0xffffffff', '0xd9b67a26'] as const) expect(await series.read.supportsInterface([id])).toBe(false);
});

test('emits events for minted and transferred tokens', async () => {
  const series = await deploySeries(chain);
  const from = chain.account(1);
  const transfer = (tokenId: bigint, sender: string, to: string) => ['Transfer', { from: sender, to, tokenId }];
  expect(events(await series.mint(from.address, 3n))).toEqual(
    [1n, 2n, 3n].map((id) => transfer(id, zeroAddress, from.address)),
  );
  expect(events(await series.airdrop(who(2), 2n))).toEqual([4n, 5n].map((id) => transfer(id, zeroAddress, who(2))));
  // The one in the middle of those that were minted together.
  const sent = await series.send('safeTransferFrom', [from.address, who(3), 2n], { from });
  expect(events(sent)).toEqual([transfer(2n, from.address, who(3))]);
  const owners = await Promise.all([1n, 2n, 3n, 4n, 5n].map((id) => series.read.ownerOf([id])));
  expect(owners).toEqual([who(1), who(3), who(1), who(2), who(2)]);
  expect(events(await series.send('approve', [who(4), 1n], { from }))).toEqual([
    ['Approval', { owner: who(1), approved: who(4), tokenId: 1n }],
  ]);
  expect(await series.send('transferFrom', [who(1), who(2), 3n], { from: chain.account(4) })).toMatchObject(
    refused('TransferCallerNotOwnerNorApproved'),
  );
});
