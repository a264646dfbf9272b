import Type, { type Static } from 'typebox';
import { apiKeyOf, bearerOf } from '../../access/key-header.js';
import { invalidField } from '../../error.js';
import { fromUnixMs } from '../../protocol/time.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { MarkNotificationsAsSeenReqBody } from '../../schema/social/notification.js';
import { invalidationOf } from '../../store/change.js';
import { updateNotificationSeen } from '../../store/notification/seen.js';
import { NOTIFICATION_FILTERS } from '../../store/notification/source.js';
import { seenMarksOf } from '../../store/tag.js';
import { type OperationRequest, operation } from '../http/operation.js';
import type { Services } from '../http/service.js';
import { firstPageTimeOf } from '../page/page-snapshot-time.js';
import { readBearerToken } from './bearer-token.js';

const seenHeaders = Type.Object({
  authorization: Type.Optional(Type.String({ description: 'Optional signed bearer token.' })),
});

type Request = OperationRequest<
  unknown,
  Static<typeof MarkNotificationsAsSeenReqBody>,
  unknown,
  Static<typeof seenHeaders>
>;

/** @returns the header with the account's token; undefined: there is none, or it is the API key, which may stand there, too */
const accountTokenOf = (headers: Request['headers']): string | undefined => {
  const { authorization } = headers;
  return authorization !== undefined && bearerOf(authorization) === apiKeyOf(headers) ? undefined : authorization;
};

/** @returns the fid of the signer, of the account that signed the bearer token, or of the request's body */
const readFid = async (
  { body, headers, caller }: Pick<Request, 'body' | 'headers' | 'caller'>,
  services: Pick<Services, 'clock' | 'db' | 'networks' | 'publicUrl' | 'signers'>,
): Promise<number> => {
  const { fid, signer_uuid: uuid } = body;
  const token = accountTokenOf(headers);
  if (uuid === undefined && token === undefined) {
    if (fid !== undefined) return fid;
    const ways = 'send signer_uuid, a bearer token in the header Authorization, or fid';
    throw invalidField('signer_uuid', `signer_uuid must say whose notifications were seen: ${ways}`);
  }
  const owner =
    uuid === undefined
      ? await readBearerToken(token as string, services)
      : (await services.signers.use(caller.appId, uuid, 'ANY')).fid;
  if (fid !== undefined && fid !== owner) throw invalidField('fid', `fid must be absent, or ${owner} as who signs`);
  return owner;
};

export const markNotificationsAsSeen = operation({
  id: 'mark-notifications-as-seen',
  method: 'POST',
  path: '/v2/social/notifications/seen/',
  tags: ['Notifications'],
  title: 'Mark notifications as seen',
  summary: 'Mark the notifications of a user as seen within the calling app, all kinds unless one is named.',
  cost: { fixed: 10 },
  scope: 'seen',
  // The token is signed by a signer, whose key is stored: no chain is asked.
  waitsOutside: () => false,
  headers: seenHeaders,
  body: MarkNotificationsAsSeenReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID },
  response: OperationResponse,
  errors: [400, 500],
  handle: async (request, services) => {
    const { body, caller } = request;
    const { writeAndInvalidate, clock } = services;
    const owner = { fid: await readFid(request, services), appId: caller.appId };
    const kinds = body.type === undefined ? NOTIFICATION_FILTERS : [body.type];
    const shownUntil = fromUnixMs(firstPageTimeOf(services, clock()));
    await writeAndInvalidate(invalidationOf([seenMarksOf(owner.fid)]), (session) =>
      updateNotificationSeen(session, owner, kinds, shownUntil),
    );
    return { success: true };
  },
});
