import type { Database } from '../db/database.js';
import { execute, sql, statement } from '../db/statement.js';
import { first } from './table.js';

const byDigest = statement<{ text: string }>(
  'conversation_summary',
  'select text from conversation_summary where digest = $1',
);

/** @returns the stored answer to a question; undefined: there is none */
export const selectConversationSummary = async (db: Database, digest: Buffer): Promise<string | undefined> =>
  (await first(db.read(byDigest, [digest])))?.text;

const insertSql = sql(
  'insert_conversation_summary',
  'insert into conversation_summary (digest, text, created_at) values ($1, $2, $3) on conflict do nothing',
);

export const insertConversationSummary = (db: Database, digest: Buffer, text: string, now: Date): Promise<void> =>
  execute(db, insertSql, [digest, text, now]);

const deleteSql = sql('delete_old_conversation_summaries', 'delete from conversation_summary where created_at < $1');

export const deleteConversationSummariesBefore = (db: Database, before: Date): Promise<void> =>
  execute(db, deleteSql, [before]);
