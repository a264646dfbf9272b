import { toHex } from '../../../hex.js';
import { HubBulkMessagesResponse } from '../../../schema/hub/bulk.js';
import { viewHubMessage } from '../../../view/hub-message.js';
import { renderJson, toBytes } from '../../../view/json.js';
import { octetStream, operation } from '../../http/operation.js';
import { countBulk, MAX_BULK_MESSAGES, splitBulk, submitBulk } from './bulk-submission.js';

export const hubPublishMessages = operation({
  id: 'hub-publish-messages',
  method: 'POST',
  path: '/v1/submitBulkMessages',
  tags: ['Hub Message'],
  title: 'Submit several signed messages',
  summary:
    `Own extension: submit up to ${MAX_BULK_MESSAGES} signed messages, as the bytes of a \`SubmitBulkMessagesRequest\` of ` +
    'at most 1 MiB. The answers have the order of the messages: the message, or why it is not stored, which does not ' +
    'keep the others from being stored.',
  cost: { each: 100, of: 'messages', in: 'body', count: countBulk, most: MAX_BULK_MESSAGES },
  body: octetStream,
  response: HubBulkMessagesResponse,
  handle: async ({ body }, services) => {
    const results = await submitBulk(services, splitBulk(body));
    const { view } = services.reads.open();
    const items = results.map((result) =>
      'envelope' in result
        ? viewHubMessage({ envelope: result.envelope, json: {} }, view.dialect)
        : renderJson({ hash: toHex(result.hash), errCode: result.errCode, message: result.message }),
    );
    return toBytes('{"messages":[', items, ']}');
  },
});
