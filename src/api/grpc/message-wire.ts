import type { ReadContext } from '../../cache/read-context.js';
import { notFound } from '../../error.js';
import { hubMessageByReference } from '../../hydrate/hub-message.js';
import type { Envelope } from '../../protocol/wire/message.js';
import { sentMessage } from '../../protocol/wire/sent-message.js';
import { encodeByteString } from '../../protocol/wire/wire.js';
import type { MessageReferencePage } from '../hub/message/list.js';
import type { MessagePageQuery } from '../hub/page-query.js';

/** Fields of the protobuf `MessagesResponse` (protocol document, request_response.proto). */
const FIELD = { message: 1, nextPageToken: 2 } as const;

export const MAX_PAGE_SIZE = 1_000;

/** What requests of all lists of messages have. */
interface PageRequest {
  readonly pageSize?: number | undefined;
  readonly pageToken?: Uint8Array | undefined;
  readonly reverse?: boolean | undefined;
  readonly startTimestamp?: number | undefined;
  readonly stopTimestamp?: number | undefined;
}

/**
 * @returns the page as the operations over HTTP ask for it. Hubs answer one message to a size of 0, and begin with the first
 *   page where a token is empty
 * @source `get_messages_page_by_prefix` of snapchain's `src/storage/store/account/message.rs`
 */
export const pageOf = ({ pageSize = MAX_PAGE_SIZE, pageToken, reverse, ...times }: PageRequest): MessagePageQuery => ({
  pageSize: Math.min(MAX_PAGE_SIZE, Math.max(1, pageSize)),
  pageToken: Buffer.from(pageToken ?? []).toString('base64'),
  reverse: reverse ?? false,
  ...(times.startTimestamp !== undefined && { startTimestamp: times.startTimestamp }),
  ...(times.stopTimestamp !== undefined && { stopTimestamp: times.stopTimestamp }),
});

/** @returns the bytes of a `MessagesResponse`; `nextPageToken` is the base64 text of the operations over HTTP */
export const messagesResponse = (messages: readonly Envelope[], nextPageToken: string): Buffer => {
  const parts = messages.map((envelope) => encodeByteString(FIELD.message, sentMessage(envelope)));
  if (nextPageToken !== '') parts.push(encodeByteString(FIELD.nextPageToken, Buffer.from(nextPageToken, 'base64')));
  return Buffer.concat(parts);
};

/**
 * @param wanted of a list that the store does not select exactly; all messages unless given
 * @returns one page as hubs send it. A message that was removed since its page was read is left out
 */
export const messagePageResponse = async (
  read: ReadContext,
  { references, nextPageToken }: MessageReferencePage,
  wanted: (envelope: Envelope) => boolean = () => true,
): Promise<Buffer> => {
  const messages = await read.get(hubMessageByReference, references);
  const envelopes = references.flatMap((reference) => messages.get(reference)?.envelope ?? []);
  return messagesResponse(envelopes.filter(wanted), nextPageToken);
};

/** @throws AppError not_found without a message */
export const messageResponse = async (found: Promise<Envelope | undefined>, what: string): Promise<Uint8Array> => {
  const envelope = await found;
  if (envelope === undefined) throw notFound(`There is no such ${what} here.`);
  return sentMessage(envelope);
};
