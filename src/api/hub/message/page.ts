import type { ReadContext } from '../../../cache/read-context.js';
import { hubMessageByReference } from '../../../hydrate/hub-message.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { viewHubMessage, viewHubMessages } from '../../../view/hub-message.js';
import { toBytes } from '../../../view/json.js';
import type { MessageReferencePage } from './list.js';

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
