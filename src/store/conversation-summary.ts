import { readQuery, writeQuery } from './query-function.js';

/** @returns the stored answer to a question; undefined: there is none */
export const selectConversationSummary = readQuery<{ text: string }>(
  'conversation_summary',
  'select text from conversation_summary where digest = $1',
).value('text', (digest: Buffer) => [digest]);

export const insertConversationSummary = writeQuery(
  'insert_conversation_summary',
  'insert into conversation_summary (digest, text, created_at) values ($1, $2, $3) on conflict do nothing',
).done((digest: Buffer, text: string, now: Date) => [digest, text, now]);

export const deleteConversationSummariesBefore = writeQuery(
  'delete_old_conversation_summaries',
  'delete from conversation_summary where created_at < $1',
).done((before: Date) => [before]);
