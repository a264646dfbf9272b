import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import type { Reader } from '../../db/statement.js';
import { BatchReqBody, batchResponse } from '../../schema/batch.js';
import type { BatchRead } from '../../store/query/batch.js';
import { HandlerResponse, type Operation, operation } from '../http/operation.js';

/** Header with the accounts of which only the newest entries are in the answer, separated by commas; absent for none. */
const PARTIAL = 'x-partial-fids';

/** Entries of an answer, shared evenly by its accounts. */
const MAX_ENTRIES = 10_000;
/** Of one account, however few there are: a call costs by the number of accounts. */
const MAX_ACCOUNT_ENTRIES = 500;
/** Bytes of an answer, shared evenly as well. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Of one account for each unit that it costs (16 KB, docs/billing.md), less what surrounds its entries. */
const UNIT_BYTES = 16 * 1024 - 64;
/** Rows of one statement, about: accounts are read in groups. Other requests have their turn after each account. */
const GROUP_ROWS = 500;

interface Row {
  readonly fid: number;
}

/** Stands for a row whose content was not read, because the rows before have all the bytes of the account. */
export const UNREAD = Symbol('unread');

/** An object that is an entry; undefined: the row is none. */
export type BatchEntry<Entry> = Entry | undefined | typeof UNREAD;

interface BatchDefinition<Found extends Row> {
  /** Last part of the path; the id of the operation is `batch-` and this. */
  readonly name: string;
  readonly tag: string;
  readonly title: string;
  /** After "Read", as part of the summary. */
  readonly what: string;
  /** Units of each account. */
  readonly each: number;
  readonly entry: TSchema;
  /** Rows of the accounts, those of an account newest first. */
  readonly select: (session: Reader, read: BatchRead) => Promise<Found[]>;
  readonly entryOf: (row: Found) => BatchEntry<object>;
}

interface Account {
  /** JSON of its entries. */
  readonly entries: readonly string[];
  /** Whether there are older ones. */
  readonly isPartial: boolean;
}

/** @returns the entries of one account, up to `limit` rows and `bytes` bytes of JSON */
const entriesWithin = <Found>(
  rows: readonly Found[],
  entryOf: (row: Found) => BatchEntry<object>,
  { limit, bytes }: Pick<BatchRead, 'limit' | 'bytes'>,
): Account => {
  const entries: string[] = [];
  let size = 0;
  for (const row of rows.slice(0, limit)) {
    const entry = entryOf(row);
    if (entry === undefined) continue;
    if (entry === UNREAD) return { entries, isPartial: true };
    const json = JSON.stringify(entry);
    size += Buffer.byteLength(json) + 1;
    if (size > bytes) return { entries, isPartial: true };
    entries.push(json);
  }
  return { entries, isPartial: rows.length > limit };
};

const byAccount = <Found extends Row>(rows: readonly Found[]): Map<number, Found[]> => {
  const accounts = new Map<number, Found[]>();
  for (const row of rows) {
    const own = accounts.get(row.fid);
    if (own === undefined) accounts.set(row.fid, [row]);
    else own.push(row);
  }
  return accounts;
};

/**
 * Declares a read of many accounts at once, as programs for a Hypersnap node send it. They are raw reads like those of
 * hubs: nothing is hidden from anybody. That node answers with everything it has of the accounts; here an answer has at
 * most 10,000 entries and 4 MB, the newest of each account, and says of which accounts there are more.
 */
export const batchOperation = <Found extends Row>(definition: BatchDefinition<Found>): Operation => {
  const { name, tag, title, what, each, entry, select, entryOf } = definition;
  return operation({
    id: `batch-${name}`,
    method: 'POST',
    path: `/v2/social/batch/${name}/`,
    tags: [tag],
    title,
    summary:
      `Own extension: read ${what} of up to 100 accounts, newest first. At most 10,000 messages or events are looked at, ` +
      'the same number for each account and at most 500, and the answer has at most 4 MB; the header ' +
      '`x-partial-fids` names the accounts that have more.',
    cost: { each, of: 'fids', in: 'body' },
    scope: 'read',
    body: BatchReqBody,
    bodyExample: { fids: [1, 2] },
    response: batchResponse(entry),
    errors: [400],
    handle: async ({ body }, { db }) => {
      const fids = [...new Set(body.fids)];
      const limit = Math.min(MAX_ACCOUNT_ENTRIES, Math.floor(MAX_ENTRIES / fids.length));
      const bytes = Math.min(each * UNIT_BYTES, Math.floor(MAX_BYTES / fids.length));
      const members: string[] = [];
      const partial: number[] = [];
      const size = Math.max(1, Math.floor(GROUP_ROWS / limit));
      for (let start = 0; start < fids.length; start += size) {
        const group = fids.slice(start, start + size);
        // One row more than the limit tells whether there are more.
        const rows = byAccount(await select(db, { fids: group, limit: limit + 1, bytes }));
        for (const fid of group) {
          const { entries, isPartial } = entriesWithin(rows.get(fid) ?? [], entryOf, { limit, bytes });
          members.push(`"${fid}":[${entries.join()}]`);
          if (isPartial) partial.push(fid);
          if (entries.length > 0) await yieldToOthers();
        }
      }
      const answer = Buffer.from(`{${members.join()}}`);
      return new HandlerResponse(200, answer, partial.length === 0 ? {} : { [PARTIAL]: partial.join() });
    },
  });
};
