import { submissionFromJson } from '../../protocol/hub-json/message-read.js';
import { PublishMessageReqBody, PublishMessageResponse } from '../../schema/message.js';
import { operation } from '../http/operation.js';
import { singleMessage } from '../hub/message/page.js';

/** The wrong member of a message by the end of the rejection's reason. */
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
  title: 'Submit a signed message as JSON',
  summary:
    'Submit a message that a signer of your own signed, in the JSON form that /v1 answers with. The same message may ' +
    'be sent again. The answer is the message as it is stored.',
  cost: { fixed: 100 },
  body: PublishMessageReqBody,
  bodyExample: { data: {}, hash: '0x', hashScheme: 'HASH_SCHEME_BLAKE3', signature: '', signer: '0x' },
  bodyExampleNote: 'Put in a message of your own, as `Message.toJSON` of `@farcaster/core` writes it.',
  response: PublishMessageResponse,
  errors: [400, 500, 504],
  handle: async ({ body }, services) => {
    const { envelope } = await services.writer.submit(submissionFromJson(body), { property: memberOf });
    return singleMessage(services.reads.open(), envelope);
  },
});
