import { OnChainEvent } from '@farcaster/core';
import type { Database } from '../../db/database.js';
import { MessageSet } from '../../protocol/conflict.js';
import { encodeEnvelope } from '../../protocol/wire/envelope.js';
import {
  type ChannelRow,
  type EnvelopeRow,
  type EventRow,
  type FidRange,
  type ProofRow,
  selectChannelMessagesAfter,
  selectMessagesAfter,
  selectOnchainEventsAfter,
  selectRegistryProofsAfter,
} from '../../store/protocol/export.js';
import { envelopeOf } from '../../store/protocol/message.js';
import type { FileItem } from './format.js';

const PAGE = 2_000;

/** Messages on which others depend: keys that sign them, storage that they use, addresses that they name. */
const FIRST_SETS: readonly number[] = [MessageSet.key, MessageSet.storageLending, MessageSet.verification];
const OTHER_SETS = Object.values(MessageSet).filter((set) => !FIRST_SETS.includes(set));

/** Calls `read` with the last row of each page until a page is not full. */
async function* pages<Row>(
  read: (after: Row | undefined) => Promise<Row[]>,
  itemOf: (row: Row) => FileItem,
): AsyncGenerator<FileItem[]> {
  let after: Row | undefined;
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows.map(itemOf);
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

const messageItem = (row: Parameters<typeof envelopeOf>[0]): FileItem => ({
  kind: 'message',
  wire: encodeEnvelope(envelopeOf(row)),
});

const messages = (db: Database, range: FidRange, sets: readonly number[]): AsyncGenerator<FileItem[]> =>
  pages<EnvelopeRow>((after) => selectMessagesAfter(db, range, sets, after, PAGE), messageItem);

/** The order of messages about channels is that of their arrival; several ranges are each in order. */
const channelMessages = (db: Database, range: FidRange): AsyncGenerator<FileItem[]> =>
  pages<ChannelRow>((after) => selectChannelMessagesAfter(db, range, after, PAGE), messageItem);

async function* foundations(db: Database, range: FidRange): AsyncGenerator<FileItem[]> {
  yield* pages<EventRow>(
    (after) => selectOnchainEventsAfter(db, range, after, PAGE),
    ({ body }) => ({ kind: 'onchain', event: OnChainEvent.decode(body), wire: body }),
  );
  yield* pages<ProofRow>(
    (after) => selectRegistryProofsAfter(db, range, after, PAGE),
    (row) => ({ kind: 'proof', proof: { ...row, name: Buffer.from(row.name) } }),
  );
  yield* messages(db, range, FIRST_SETS);
}

/**
 * Reads all stored items in an order in which an empty store can import them: first registrations, keys and storage,
 * then the messages that depend on them, and those about channels last. While messages are ingested, each page has the
 * state of the time at which it is read.
 * @param fids the accounts; undefined: all
 */
export async function* exportItems(db: Database, fids?: readonly number[]): AsyncGenerator<FileItem[]> {
  const ranges = fids?.map((fid) => ({ first: fid, last: fid })) ?? [{ first: 0, last: Number.MAX_SAFE_INTEGER }];
  for (const range of ranges) yield* foundations(db, range);
  for (const range of ranges) yield* messages(db, range, OTHER_SETS);
  for (const range of ranges) yield* channelMessages(db, range);
}
