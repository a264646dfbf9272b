import type { ReadContext } from '../../../cache/read-context.js';
import { hubMessageByReference } from '../../../hydrate/hub-message.js';
import { encodePageToken } from '../../../protocol/page-token.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import type { MessageReference } from '../../../store/hub/message-page.js';
import { viewHubMessage, viewHubMessages } from '../../../view/hub-message.js';
import { toBytes } from '../../../view/json.js';
import { type MessagePageQuery, pageSizeOf, withinTimes } from '../page-query.js';

/** Renders a response with one message. */
export const singleMessage = ({ view }: Pick<ReadContext, 'view'>, envelope: Envelope): Buffer =>
  toBytes(viewHubMessage({ envelope, json: {} }, view.dialect), [], '');

/** Renders a list without pages. */
export const messageList = ({ view }: ReadContext, envelopes: readonly Envelope[]): Buffer =>
  viewHubMessages(
    envelopes.map((envelope) => ({ envelope, json: {} })),
    '',
    view,
  );

interface MessageReferencePage {
  readonly references: readonly MessageReference[];
  /** '' on the last page. */
  readonly nextPageToken: string;
}

/** @param found the rows selected for `messagePageOf(query)` */
export const cutMessagePage = (found: readonly MessageReference[], query: MessagePageQuery): MessageReferencePage => {
  const size = pageSizeOf(query);
  const allowed = withinTimes(found, query);
  const references = allowed.slice(0, size);
  const last = allowed.length > size ? references.at(-1) : undefined;
  return {
    references,
    nextPageToken: last === undefined ? '' : encodePageToken({ timestamp: last.ts, hash: last.hash }),
  };
};

/** Renders one page of raw messages. A message that was removed since its page was read is left out. */
export const renderMessagePage = async (
  read: ReadContext,
  { references, nextPageToken }: MessageReferencePage,
): Promise<Buffer> => {
  const messages = await read.get(hubMessageByReference, references);
  return viewHubMessages(
    references.flatMap((reference) => messages.get(reference) ?? []),
    nextPageToken,
    read.view,
  );
};

/** @param found the rows selected for `messagePageOf(query)` */
export const messagePage = (
  read: ReadContext,
  found: readonly MessageReference[],
  query: MessagePageQuery,
): Promise<Buffer> => renderMessagePage(read, cutMessagePage(found, query));
