import { createHash } from 'node:crypto';
import {
  type MessageData,
  MessageType,
  OnChainEvent,
  OnChainEventType,
  UserDataType,
  UserNameProof,
  validations,
} from '@farcaster/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { rounds } from '../../test/support/rounds.js';
import type { IngestItem } from '../ingest/item.js';
import { verifyWire } from '../protocol/verify/verify.js';
import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import type { ProtocolMessage } from '../protocol/wire/message.js';
import { SAMPLE_CHANNELS } from './channel.js';
import { sampleTime } from './clock.js';
import { generateSampleNetwork, type SampleOptions } from './network.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const all = async (options: SampleOptions): Promise<IngestItem[]> => {
  const items: IngestItem[] = [];
  for await (const batch of generateSampleNetwork(options).items()) items.push(...batch);
  return items;
};

const digest = (items: readonly IngestItem[]): string => {
  const hash = createHash('sha256');
  for (const item of items) {
    if (item.kind === 'onchain') hash.update(OnChainEvent.encode(item.event).finish());
    else if (item.kind === 'proof') hash.update(UserNameProof.encode(item.proof).finish());
    else hash.update(item.wire);
  }
  return hash.digest('hex');
};

const SMALL = { accounts: 60, casts: 300, reactions: 600, follows: 400, now: 180_000_000 };

describe('the default network', () => {
  const network = generateSampleNetwork();
  const items: IngestItem[] = [];
  let messages: ProtocolMessage[] = [];

  beforeAll(async () => {
    for await (const batch of network.items()) items.push(...batch);
    messages = items.flatMap((item) => (item.kind === 'message' ? [decodeMessage(decodeEnvelope(item.wire))] : []));
  });

  const ofType = (...types: MessageType[]): MessageData[] =>
    messages.filter((message) => types.includes(message.type)).map((message) => message.data);

  /** Keys of what is left when every later step replaces the earlier ones of its key. */
  const live = (steps: readonly MessageData[], add: MessageType, key: (data: MessageData) => string): string[] => {
    const state = new Map<string, boolean>();
    for (const data of steps) state.set(key(data), data.type === add);
    return [...state].filter(([, isLive]) => isLive).map(([name]) => name);
  };

  test('reports the total number of items', () => expect(items).toHaveLength(network.total));

  test('has as many casts, reactions and follows as promised once removals are applied', () => {
    const removed = new Set(
      ofType(MessageType.CAST_REMOVE).map((data) => hex(data.castRemoveBody?.targetHash as Uint8Array)),
    );
    const casts = messages.filter((message) => message.type === MessageType.CAST_ADD);
    const hashes = casts.map((message) => hex(message.envelope.hash)).filter((hash) => !removed.has(hash));
    const reactions = live(
      ofType(MessageType.REACTION_ADD, MessageType.REACTION_REMOVE),
      MessageType.REACTION_ADD,
      (data) => {
        const body = data.reactionBody;
        return `${data.fid} ${body?.type} ${hex(body?.targetCastId?.hash as Uint8Array)}`;
      },
    );
    expect([new Set(hashes).size, reactions.length]).toEqual([5000, 15_000]);
    expect(removed.size).toBeGreaterThan(50);

    const follows = ofType(MessageType.LINK_ADD, MessageType.LINK_REMOVE).filter(
      (data) => data.linkBody?.type === 'follow',
    );
    const kept = live(follows, MessageType.LINK_ADD, (data) => `${data.fid} ${data.linkBody?.targetFid}`);
    const compact = new Map(ofType(MessageType.LINK_COMPACT_STATE).map((data) => [data.fid, data]));
    const added = new Map(follows.map((data) => [`${data.fid} ${data.linkBody?.targetFid}`, data]));
    const current = kept.filter((pair) => {
      const link = added.get(pair) as MessageData;
      const state = compact.get(link.fid);
      if (state === undefined || link.timestamp > state.timestamp) return true;
      return state.linkCompactStateBody?.targetFids.includes(link.linkBody?.targetFid as number);
    });
    expect(compact.size).toBe(15);
    expect([kept.length, current.length]).toEqual([8000 + 4 * compact.size, 8000]);
  });

  test('has 300 accounts that can all write, with different usernames', () => {
    const events = items.flatMap((item) => (item.kind === 'onchain' ? [item.event] : []));
    const count = (type: OnChainEventType): number =>
      new Set(events.filter((event) => event.type === type).map((event) => event.fid)).size;
    expect(count(OnChainEventType.EVENT_TYPE_ID_REGISTER)).toBe(300);
    expect(count(OnChainEventType.EVENT_TYPE_SIGNER)).toBe(300);
    expect(count(OnChainEventType.EVENT_TYPE_STORAGE_RENT)).toBe(300);
    expect(count(OnChainEventType.EVENT_TYPE_TIER_PURCHASE)).toBeGreaterThan(10);
    const names = items.flatMap((item) => (item.kind === 'proof' ? [Buffer.from(item.proof.name).toString()] : []));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(290);
    expect(names.every((name) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(name))).toBe(true);
  });

  test('has an order that hubs accept', () => {
    const ready = new Set<string>();
    const casts = new Set<string>();
    for (const item of items) {
      if (item.kind === 'proof') ready.add(`${item.proof.fid} ${Buffer.from(item.proof.name)}`);
      if (item.kind === 'onchain' && item.event.signerEventBody !== undefined) {
        ready.add(`${item.event.fid} ${hex(item.event.signerEventBody.key)}`);
      }
      if (item.kind !== 'message') continue;
      const { envelope, data, fid } = decodeMessage(decodeEnvelope(item.wire));
      expect(ready.has(`${fid} ${hex(envelope.signer)}`)).toBe(true);
      if (data.castAddBody !== undefined) casts.add(hex(envelope.hash));
      if (data.usernameProofBody !== undefined) ready.add(`${fid} ${Buffer.from(data.usernameProofBody.name)}`);
      if (data.userDataBody?.type === UserDataType.USERNAME)
        expect(ready.has(`${fid} ${data.userDataBody.value}`)).toBe(true);
      const embeds = data.castAddBody?.embeds.map((embed) => embed.castId) ?? [];
      for (const cast of [data.castAddBody?.parentCastId, data.reactionBody?.targetCastId, ...embeds]) {
        if (cast !== undefined) expect(casts.has(hex(cast.hash))).toBe(true);
      }
    }
  });

  test('passes verification, with the newest message at the given time', () => {
    const reasons = items.flatMap((item, n) => {
      if (item.kind !== 'message' || n % 3 >= rounds(3)) return [];
      const result = verifyWire(item.wire, { now: Date.now() });
      return result.ok ? [] : [`${result.reason}: ${result.detail}`];
    });
    expect([...new Set(reasons)]).toEqual([]);
    expect(Math.max(...messages.map((message) => message.timestamp))).toBe(sampleTime());
  });

  test('resembles a social network', () => {
    const casts = ofType(MessageType.CAST_ADD).map((data) => data.castAddBody);
    const bytes = casts.map((cast) => Buffer.byteLength(cast?.text ?? ''));
    const share = (holds: (cast: (typeof casts)[number]) => unknown): number =>
      casts.filter(holds).length / casts.length;
    expect(share((cast) => cast?.parentCastId)).toBeGreaterThan(0.3);
    expect(share((cast) => cast?.parentUrl)).toBeGreaterThan(0.2);
    expect(share((cast) => cast?.mentions.length)).toBeGreaterThan(0.1);
    expect(share((cast) => cast?.embeds.some((embed) => embed.castId))).toBeGreaterThan(0.03);
    expect(
      share((cast) => /\p{Extended_Pictographic}|[^\p{Script=Latin}\p{Script=Common}]/u.test(cast?.text ?? '')),
    ).toBeGreaterThan(0.2);
    expect(bytes.filter((length) => length > 320).length).toBeGreaterThan(20);
    expect(bytes.filter((length) => length > 1024).length).toBeGreaterThan(0);
    for (const { parentUrl } of SAMPLE_CHANNELS) expect(casts.some((cast) => cast?.parentUrl === parentUrl)).toBe(true);

    const profile = (type: UserDataType): number =>
      new Set(
        ofType(MessageType.USER_DATA_ADD)
          .filter((data) => data.userDataBody?.type === type)
          .map((data) => data.fid),
      ).size;
    expect(profile(UserDataType.LOCATION)).toBeGreaterThan(120);
    expect(profile(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM)).toBeGreaterThan(60);
    expect(profile(UserDataType.BANNER)).toBeGreaterThan(10);
  });

  test('has mentions where a name belongs, also after emoji', () => {
    const birthdays = ofType(MessageType.CAST_ADD).filter((data) => data.castAddBody?.text.startsWith('🙏🏽 '));
    expect(birthdays.length).toBeGreaterThan(5);
    for (const { castAddBody } of birthdays) expect(castAddBody?.mentionsPositions[0]).toBe(9);
    const inside = ofType(MessageType.CAST_ADD).flatMap(({ castAddBody }) =>
      (castAddBody?.mentionsPositions ?? []).map((at) =>
        Buffer.from(castAddBody?.text ?? '')
          .subarray(at)
          .toString(),
      ),
    );
    // A position inside a character would leave the replacement character at the cut.
    expect(inside.filter((rest) => rest.startsWith('\ufffd'))).toEqual([]);
  });

  test('has spammers with few followers', () => {
    const follows = ofType(MessageType.LINK_ADD).filter((data) => data.linkBody?.type === 'follow');
    for (const fid of network.spamFids) {
      const out = follows.filter((data) => data.fid === fid).length;
      const into = follows.filter((data) => data.linkBody?.targetFid === fid).length;
      expect(out).toBeGreaterThan(100);
      expect(into).toBeLessThan(12);
    }
    expect(network.spamFids).toHaveLength(6);
  });
});

test('every kind passes the validation of the protocol package', async () => {
  const seen = new Map<number, number>();
  for (const item of await all({ ...SMALL, seed: 'kinds' })) {
    if (item.kind !== 'message') continue;
    const { data, type, envelope } = decodeMessage(decodeEnvelope(item.wire));
    const known = seen.get(type) ?? 0;
    seen.set(type, known + 1);
    if (known >= rounds(40)) continue;
    const message = { ...envelope, data };
    const checked = await validations.validateMessage(message);
    expect(checked.isOk() ? '' : checked.error.message).toBe('');
  }
  expect(seen.size).toBe(11);
});

test('the same options give the same bytes, another seed or time others', async () => {
  const first = digest(await all(SMALL));
  expect(digest(await all(SMALL))).toBe(first);
  expect(digest(await all({ ...SMALL, seed: 'another' }))).not.toBe(first);
  expect(digest(await all({ ...SMALL, now: SMALL.now - 1 }))).not.toBe(first);
});

test('a network can be read twice, from the start', async () => {
  const network = generateSampleNetwork(SMALL);
  const read = async (): Promise<IngestItem[]> => {
    const items: IngestItem[] = [];
    for await (const batch of network.items(64)) items.push(...batch);
    return items;
  };
  expect(digest(await read())).toBe(digest(await read()));
});

test('a few accounts are enough', async () => {
  const network = generateSampleNetwork({ accounts: 4, casts: 10, reactions: 20, follows: 12 });
  let count = 0;
  for await (const batch of network.items()) count += batch.length;
  expect(count).toBe(network.total);
});

test('a network with few follows has no compact state without targets, which hubs refuse', async () => {
  const items = await all({ accounts: 12, casts: 30, reactions: 30, follows: 30 });
  const results = items.map((item) => (item.kind === 'message' ? verifyWire(item.wire, { now: Date.now() }) : item));
  expect(results.filter((result) => 'ok' in result && !result.ok)).toEqual([]);
});
