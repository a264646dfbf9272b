import { readQuery, writeQuery } from './query-function.js';

/** @returns the stored answer to a question; undefined: there is none */
export const selectConversationSummary = readQuery(
  'conversation_summary',
  'select text from conversation_summary where digest = :digest',
).value('text', (digest: Buffer) => ({ digest }));

export const insertConversationSummary = writeQuery(
  'insert_conversation_summary',
  'insert into conversation_summary (digest, text, created_at) values (:digest, :text, :now) on conflict do nothing',
).done((digest: Buffer, text: string, now: Date) => ({ digest, text, now }));

export const deleteConversationSummariesBefore = writeQuery(
  'delete_old_conversation_summaries',
  'delete from conversation_summary where created_at < :before',
).done((before: Date) => ({ before }));
