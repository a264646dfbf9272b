import Type from 'typebox';
import { invalidField } from '../../error.js';
import { fromUnixMs } from '../../protocol/time.js';
import { MarkNotificationsAsSeenReqBody } from '../../schema/notification.js';
import { OperationResponse } from '../../schema/operation.js';
import { updateNotificationSeen } from '../../store/notification-seen.js';
import { type NotificationFilter, NotificationKind } from '../../store/notification-source.js';
import { operation } from '../operation.js';

const EVERY_KIND = Object.keys(NotificationKind) as NotificationFilter[];

const whose = ({ fid, signer_uuid }: { fid?: number; signer_uuid?: string }, authorization?: string): number => {
  const advice = 'Send fid in the body instead, with a key that has the scope seen.';
  if (signer_uuid !== undefined) throw invalidField('signer_uuid', `No such signer is known here. ${advice}`);
  if (authorization !== undefined) {
    throw invalidField('Authorization', `Bearer tokens are not accepted here. ${advice}`);
  }
  if (fid === undefined) throw invalidField('fid', 'fid must say whose notifications were seen');
  return fid;
};

export const markNotificationsAsSeen = operation({
  id: 'mark-notifications-as-seen',
  method: 'POST',
  path: '/v2/social/notifications/seen/',
  tags: ['Notifications'],
  summary: 'Mark the notifications of a user as seen within the calling app, all kinds unless one is named.',
  family: 'v2',
  scope: 'seen',
  units: 1,
  headers: Type.Object({ authorization: Type.Optional(Type.String({ description: 'Optional signed bearer token.' })) }),
  body: MarkNotificationsAsSeenReqBody,
  response: OperationResponse,
  errors: [400, 500],
  handle: async ({ body, headers, caller }, { db, clock }) => {
    const owner = { fid: whose(body, headers.authorization), appId: caller.appId };
    await updateNotificationSeen(db, owner, body.type === undefined ? EVERY_KIND : [body.type], fromUnixMs(clock()));
    return { success: true };
  },
});
