import { submissionFromJson } from '../../protocol/hub-json/message-read.js';
import { PublishMessageReqBody, PublishMessageResponse } from '../../schema/message.js';
import { singleMessage } from '../hub/message/page.js';
import { operation } from '../operation.js';

/** The member of the message that a refusal is about, by the end of its reason. */
const MEMBERS: readonly (readonly [RegExp, string])[] = [
  [/hash_scheme$/, 'hashScheme'],
  [/signature_scheme$/, 'signatureScheme'],
  [/hash$/, 'hash'],
  [/signature$/, 'signature'],
  [/signer$/, 'signer'],
  [/fid$|no_storage$/, 'data.fid'],
  [/bad_type$/, 'data.type'],
  [/timestamp$/, 'data.timestamp'],
  [/network$/, 'data.network'],
];

const memberOf = (reason: string): string => MEMBERS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'data';

export const publishMessageToSocial = operation({
  id: 'publish-message-to-social',
  method: 'POST',
  path: '/v2/social/message/',
  tags: ['Signer'],
  summary:
    'Submit a message that a signer of your own signed, in the JSON form that /v1 answers with. The same message may ' +
    'be sent again. The answer is the message as it is stored.',
  family: 'v2',
  scope: 'write',
  body: PublishMessageReqBody,
  response: PublishMessageResponse,
  errors: [400, 500, 504],
  handle: async ({ body }, services) => {
    const { envelope } = await services.writer.submit(submissionFromJson(body), { property: memberOf });
    return singleMessage(services.reads.open(), envelope);
  },
});
