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

/**
 * Renders one page of raw messages. A message that was removed since its page was read is left out.
 * @param wanted of a list that the store does not select exactly; all messages unless given
 */
export const renderMessagePage = async (
  read: ReadContext,
  { references, nextPageToken }: MessageReferencePage,
  wanted: (envelope: Envelope) => boolean = () => true,
): Promise<Buffer> => {
  const messages = await read.get(hubMessageByReference, references);
  const found = references.flatMap((reference) => messages.get(reference) ?? []);
  return viewHubMessages(
    found.filter(({ envelope }) => wanted(envelope)),
    nextPageToken,
    read.view,
  );
};
