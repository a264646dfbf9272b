import { describe, expect, test } from 'vitest';
import { exportItems } from '../src/ingest/file/export.js';
import { itemFromJson, itemsOfRecord, lineOfItem, readLength, recordOfItem } from '../src/ingest/file/format.js';
import type { IngestItem } from '../src/ingest/item.js';
import { wireOf } from './support/channel-message.js';
import { KEY, make, protocolChannels, update } from './support/protocol-channel.js';

/* Channels of the protocol from what is stored already: by an earlier version, or in an exported file. */

const { alice, submit, load, register, scenario, runJob, empty, db, rows, refusals, everything } = protocolChannels();

describe('messages that an earlier version stored unread', () => {
  const forgetReading = async (): Promise<void> => {
    for (const table of ['protocol_channel_slot', 'protocol_channel_moderation', 'protocol_channel_message'])
      await rows(`delete from ${table}`);
    for (const table of ['channel', 'channel_parent_url', 'channel_member', 'channel_restriction', 'channel_follow'])
      await rows(`delete from ${table}`);
    await rows(
      `update protocol_channel set name = null, description = null, image_url = null, casting_mode = 2,
              membership_mode = 2, described_at = null, pinned_cast_hash = null, slot_count = 0, moderator_count = 0,
              moderation_count = 0, shown_url = null`,
    );
  };
  test('become state in the order in which they were stored', async () => {
    const items = (await scenario()).filter((_item, place) => place !== 1);
    for (const item of items) await submit(item);
    const expected = await everything();
    await forgetReading();
    await runJob();
    expect(await everything()).toEqual(expected);
    await runJob();
    expect(await everything()).toEqual(expected);
  });

  test('that hubs would refuse stay as they are', async () => {
    await submit(register(), await alice.verifyEthereum(alice.wallet(1)), update(alice, 'Gardens', 1));
    const broken = make(alice, 19, wireOf({ 2: 0, 3: 1 }));
    await rows(
      `insert into message (fid, message_set, key, type, ts, hash, signer, signature, data, data_form)
       select fid, 15, '\\x01', 19, ts, '\\x01', signer, signature, '\\x${Buffer.from(broken.wire).toString('hex')}', 1
         from message where type = 18`,
    );
    await runJob();
    expect(await refusals()).toEqual([null, 'invalid']);
    expect(await rows("select count(*)::integer as stored from message where hash = '\\x01'")).toEqual([{ stored: 1 }]);
  });

  test('a registration that was stored without its body is read when it comes again', async () => {
    const whole = register() as Extract<IngestItem, { kind: 'onchain' }>;
    const { kind, event } = whole;
    await submit({ kind, event });
    expect(await rows('select key from protocol_channel')).toEqual([]);
    await submit(whole);
    expect(await rows('select key from protocol_channel')).toEqual([{ key: KEY }]);
    expect((await submit(whole)).known).toBe(1);
  });
});

test.each(['json', 'protobuf'] as const)('an export as %s has channels in their order', async (form) => {
  const items = (await scenario()).filter((_item, place) => place !== 1);
  for (const item of items) await submit(item);
  const expected = await everything();
  const exported: IngestItem[] = [];
  for await (const page of exportItems(db()))
    for (const item of page) {
      if (form === 'json') exported.push(itemFromJson(JSON.parse(lineOfItem(item))));
      else {
        const record = recordOfItem(item);
        const prefix = readLength(record) as { size: number };
        exported.push(...itemsOfRecord(record.subarray(prefix.size)));
      }
    }
  await empty();
  expect((await load(exported)).invalid).toEqual({});
  expect(await everything()).toEqual(expected);
});
