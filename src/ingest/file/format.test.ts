import {
  HubEvent,
  HubEventType,
  Message,
  MessageData,
  type MessageType,
  OnChainEvent,
  UserDataType,
  UserNameProof,
} from '@farcaster/core';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../error.js';
import { blake3Hash20 } from '../../protocol/hash.js';
import { onChainEventToJson } from '../../protocol/hub-json/onchain.js';
import { usernameProofToJson } from '../../protocol/hub-json/proof.js';
import { decodeEnvelope, encodeEnvelope } from '../../protocol/wire/envelope.js';
import { author } from '../../sample/author.js';
import type { IngestItem } from '../item.js';
import {
  type FileItem,
  formatOf,
  itemFromJson,
  itemsOfRecord,
  lineOfItem,
  readLength,
  recordOfItem,
} from './format.js';

const alice = author({ seed: 'file-format', fid: 7, dataForm: 'data' });
const cast = alice.cast({ text: 'gm' });
const removal = alice.removeCast(cast.hash);
const items = [cast.item, await alice.fnameProof('alice'), alice.register(), alice.rent(1)] as FileItem[];

/** Items in bytes, so that they can be compared whatever classes their arrays have. */
const bytesOf = (item: IngestItem): string => {
  if (item.kind === 'onchain')
    return `onchain ${Buffer.from(OnChainEvent.encode(item.event).finish()).toString('hex')}`;
  if (item.kind === 'proof') return `proof ${Buffer.from(UserNameProof.encode(item.proof).finish()).toString('hex')}`;
  return `${item.kind} ${Buffer.from(item.wire).toString('hex')}`;
};

const withoutLength = (record: Uint8Array): Uint8Array => {
  const prefix = readLength(record);
  if (prefix === undefined || prefix === 'bad') throw new Error('no length');
  expect(prefix.size + prefix.length).toBe(record.length);
  return record.subarray(prefix.size);
};

describe('the json format', () => {
  it.each(items)('restores item %#', (item) => {
    const line = lineOfItem(item);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(bytesOf(itemFromJson(JSON.parse(line)))).toBe(bytesOf(item));
  });

  it('is read by the package of the protocol, with the hashed bytes', async () => {
    const by = (dataForm: 'data' | 'data_bytes') => author({ seed: 'file-format', fid: 7, dataForm });
    const signedBy = async (who: ReturnType<typeof by>) => [
      who.cast({ text: ['gm ', 3], embeds: ['https://example.org', cast], parent: cast }),
      who.removeCast(cast.hash),
      who.react('like', cast),
      who.unreact('recast', 'https://example.org'),
      who.follow(3),
      who.compactLinks('follow', [3, 4]),
      who.userData(UserDataType.LIVE_AT, 'https://example.org'),
      await who.verifyEthereum(who.wallet(1)),
      who.verifySolana(who.solanaKey(0)),
      who.removeVerification(1, new Uint8Array(32).fill(1)),
      await who.ensProof('alice.eth'),
      who.lendStorage(3, 1),
    ];
    for (const message of await signedBy(by('data'))) {
      const line = JSON.parse(lineOfItem(message.item as FileItem));
      expect(Buffer.from(Message.encode(Message.fromJSON(line)).finish())).toEqual(Buffer.from(message.wire));
      expect(bytesOf(itemFromJson(line))).toBe(bytesOf(message.item));
    }
    for (const message of await signedBy(by('data_bytes'))) {
      const line = JSON.parse(lineOfItem(message.item as FileItem));
      const read = Message.fromJSON(line);
      expect(Buffer.from(Message.encode({ ...read, data: undefined }).finish())).toEqual(Buffer.from(message.wire));
      expect(MessageData.encode(read.data as MessageData).finish()).toEqual(read.dataBytes);
      expect(bytesOf(itemFromJson(line))).toBe(bytesOf(message.item));
    }
    const like = JSON.parse(lineOfItem(by('data').react('like', cast).item as FileItem));
    expect(like.data.reactionBody.type).toBe('REACTION_TYPE_LIKE');
  });

  it('uses data bytes for fields that the package does not know', () => {
    const data = MessageData.create({ type: 19 as MessageType, fid: 7, timestamp: 1, network: 3 });
    const dataBytes = Buffer.concat([MessageData.encode(data).finish(), Buffer.from('b20102080a', 'hex')]);
    const envelope = { ...decodeEnvelope(cast.wire), dataBytes, dataForm: 'data_bytes' as const };
    const wire = encodeEnvelope({ ...envelope, hash: blake3Hash20(dataBytes) });
    const read = Message.fromJSON(JSON.parse(lineOfItem({ kind: 'message', wire })));
    expect(Buffer.from(Message.encode(read).finish())).toEqual(Buffer.from(wire));
  });

  it('adds the data bytes if the package would encode the message differently', () => {
    const envelope = decodeEnvelope(cast.wire);
    // Field 6 of the body before field 4: the same data, other bytes.
    const dataBytes = Buffer.concat([
      MessageData.encode(MessageData.create({ type: 1, fid: 7, timestamp: 1, network: 3 })).finish(),
      Buffer.from('2a0932040a02687522016d', 'hex').subarray(0, 11),
    ]);
    const odd: FileItem = { kind: 'message', wire: encodeEnvelope({ ...envelope, dataBytes }) };
    const item = itemFromJson(JSON.parse(lineOfItem(odd)));
    if (item.kind !== 'message') throw new Error('no message');
    expect(Buffer.from(decodeEnvelope(item.wire).dataBytes)).toEqual(dataBytes);
    expect(JSON.parse(lineOfItem(cast.item as FileItem))).not.toHaveProperty('dataBytes');
  });

  it('accepts events and proofs in the format of hubs', () => {
    for (const item of items) {
      if (item.kind === 'onchain') expect(bytesOf(itemFromJson(onChainEventToJson(item.event)))).toBe(bytesOf(item));
      if (item.kind === 'proof') expect(bytesOf(itemFromJson(usernameProofToJson(item.proof)))).toBe(bytesOf(item));
    }
  });

  it.each([null, 1, 'x', [], {}, { data: 1 }, { onChainEvent: 1 }, { usernameProof: [] }])('rejects %j', (json) => {
    expect(() => itemFromJson(json)).toThrow(AppError);
  });
});

describe('the protobuf format', () => {
  it.each(items)('restores item %#', (item) => {
    expect(itemsOfRecord(withoutLength(recordOfItem(item))).map(bytesOf)).toEqual([bytesOf(item)]);
  });

  it('contains messages unchanged, so that other software can read them', () => {
    const record = withoutLength(recordOfItem(cast.item as FileItem));
    expect(Buffer.from(record)).toEqual(Buffer.from(cast.wire));
  });

  it('accepts the event log of a hub, with removals of older messages', () => {
    const record = (event: object): Uint8Array => HubEvent.encode(HubEvent.create({ id: 3, ...event })).finish();
    const message = Message.decode(removal.wire);
    const old = Message.decode(cast.wire);
    const merge = { message, deletedMessages: [old] };
    expect(itemsOfRecord(record({ type: HubEventType.MERGE_MESSAGE, mergeMessageBody: merge })).map(bytesOf)).toEqual([
      bytesOf({ kind: 'message', wire: removal.wire }),
      bytesOf({ kind: 'removal', reason: 'replaced', wire: cast.wire }),
    ]);
    const prune = { message: old };
    expect(itemsOfRecord(record({ type: HubEventType.PRUNE_MESSAGE, pruneMessageBody: prune }))).toMatchObject([
      { kind: 'removal', reason: 'prune' },
    ]);
    expect(itemsOfRecord(record({ type: HubEventType.BLOCK_CONFIRMED }))).toEqual([]);
    expect(() => itemsOfRecord(record({ type: 63 }))).toThrow('63');
    expect(() => itemsOfRecord(Uint8Array.of(0x08, 0xff))).toThrow();
  });
});

describe('the format of a file', () => {
  const json = Buffer.from(items.map(lineOfItem).join(''));
  const protobuf = Buffer.concat(items.map(recordOfItem));

  it.each([16, 100, 4096])('is detected in its first %i bytes', (size) => {
    expect(formatOf(json.subarray(0, size))).toBe('json');
    expect(formatOf(protobuf.subarray(0, size))).toBe('protobuf');
  });

  it.each([
    ['an empty file', ''],
    ['empty lines', '\r\n\n'],
    ['a byte order mark', '\ufeff{"data":{}}'],
    ['a broken first line', 'oops\n{"data":{}}\n'],
    ['a line whose first bytes could be a length and a tag', 'x\n{"data":{}}\n'],
    ['an object of the length that a brace would mean', `{"${'d'.repeat(200)}":1}`],
  ])('is json for %s', (_what, text) => {
    expect(formatOf(Buffer.from(text))).toBe('json');
  });

  it('is detected from any first record', () => {
    for (const item of [...items, alice.cast({ text: 'x'.repeat(10_000) }).item as FileItem]) {
      expect(formatOf(recordOfItem(item).subarray(0, 4096))).toBe('protobuf');
    }
    const raw = encodeEnvelope({ ...decodeEnvelope(cast.wire), dataForm: 'data_bytes' });
    expect(formatOf(recordOfItem({ kind: 'message', wire: raw }))).toBe('protobuf');
  });
});
