import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageType, OnChainEvent, UserNameProof } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BenchNetwork, openNetwork } from '../bench/network.js';
import { networkSize } from '../bench/network-plan.js';
import { verifyWire } from '../src/protocol/verify/verify.js';
import { decodeMessage } from '../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../src/protocol/wire/envelope.js';

const SCALE = 0.001;
let cache: string;
let network: BenchNetwork;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  network = await openNetwork({ scale: SCALE, cache, threads: 2 });
});
afterAll(() => rm(cache, { recursive: true }));

const digest = async (from: BenchNetwork, batchSize: number): Promise<string> => {
  const hash = createHash('sha256');
  for await (const batch of from.batches(batchSize)) {
    for (const item of batch) {
      if (item.kind === 'onchain') hash.update(OnChainEvent.encode(item.event).finish());
      else if (item.kind === 'proof') hash.update(UserNameProof.encode(item.proof).finish());
      else hash.update(item.wire);
    }
  }
  return hash.digest('hex');
};

test('holds as many valid and different things as its size promises', async () => {
  const { accounts, casts, reactions, links } = networkSize(SCALE);
  const keys = new Map<number, Set<string>>();
  let read = 0;
  for await (const batch of network.batches(100)) {
    read += batch.length;
    for (const item of batch) {
      if (item.kind !== 'message') continue;
      expect(verifyWire(item.wire, { now: Date.now() })).toEqual({ ok: true });
      const { type, fid, data, envelope } = decodeMessage(decodeEnvelope(item.wire));
      const { reactionBody: reaction, linkBody: link } = data;
      const target = Buffer.from(reaction?.targetCastId?.hash ?? []).toString('hex');
      const key =
        type === MessageType.CAST_ADD ? Buffer.from(envelope.hash).toString('hex') : `${link?.targetFid} ${target}`;
      keys.set(type, (keys.get(type) ?? new Set()).add(`${fid} ${key}`));
    }
  }
  expect(read).toBe(network.total);
  expect([network.counts.account, network.counts.name]).toEqual([3 * accounts, accounts]);
  expect(keys.get(MessageType.CAST_ADD)?.size).toBe(casts);
  expect(keys.get(MessageType.REACTION_ADD)?.size).toBe(reactions);
  expect(keys.get(MessageType.LINK_ADD)?.size).toBe(links);
});

test('is found again in the cache, whatever the batch size', async () => {
  expect(network.generationRate).toBeGreaterThan(0);
  const again = await openNetwork({ scale: SCALE, cache });
  expect(again.generationRate).toBeUndefined();
  expect(await digest(again, 7)).toBe(await digest(network, 1000));
});

test('has the same bytes however many threads signed it, and never trusts a half-written cache', async () => {
  const before = await digest(network, 1000);
  const [folder = ''] = await readdir(cache);
  await truncate(join(cache, folder, 'reaction.bin'), 1000);
  // What a generation that was killed leaves behind: no process has this number.
  const stale = `${folder}.partial-${2 ** 30}`;
  await mkdir(join(cache, stale));
  await writeFile(join(cache, stale, 'cast.bin'), 'half');
  const again = await openNetwork({ scale: SCALE, cache, threads: 1 });
  expect(again.generationRate).toBeGreaterThan(0);
  expect(await readdir(cache)).toEqual([folder]);
  expect(await digest(again, 1000)).toBe(before);
});
