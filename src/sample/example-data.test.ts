import { expect, test } from 'vitest';
import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import { EXAMPLE_HASH } from '../schema/example.js';
import { generateSampleNetwork } from './network.js';

/** @returns what each cast of the sample says, by its hash. */
const casts = async (now: number): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  const small = { accounts: 12, casts: 40, reactions: 40, follows: 30, now };
  for await (const batch of generateSampleNetwork(small).items()) {
    for (const item of batch) {
      if (item.kind !== 'message') continue;
      const { envelope, data } = decodeMessage(decodeEnvelope(item.wire));
      if (data.castAddBody) texts.set(`0x${Buffer.from(envelope.hash).toString('hex')}`, data.castAddBody.text);
    }
  }
  return texts;
};

test('the examples of the reference are in every sample, whenever it ends', async () => {
  for (const now of [150_000_000, 186_000_000]) {
    const texts = await casts(now);
    expect(texts.get(EXAMPLE_HASH.root)).toMatch(/^Welcome to the sample network/);
    expect(texts.get(EXAMPLE_HASH.reply)).toMatch(/^Thanks /);
    expect(texts.get(EXAMPLE_HASH.spare)).toMatch(/^Nobody will miss/);
  }
});
