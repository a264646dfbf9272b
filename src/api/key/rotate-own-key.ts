import { rotateKey } from '../../access/key.js';
import { requireRoomForKey } from '../../access/key-limit.js';
import { CreatedApiKeyResponse, RotateKeyReqBody } from '../../schema/api-key.js';
import { operation } from '../http/operation.js';
import { changeOf } from '../operator/change.js';
import { findOwnKey } from './own-key.js';
import { viewKey } from './view-key.js';

export const rotateOwnKey = operation({
  id: 'rotate-own-key',
  method: 'POST',
  path: '/portal/key/rotate',
  tags: ['portal'],
  title: 'Rotate a key of the app',
  summary:
    'Make the successor of a key, with the same scopes and end, and return it this once; the old one works on for a while.',
  cost: { fixed: 0 },
  scope: 'portal',
  needsApp: true,
  body: RotateKeyReqBody,
  bodyExample: { key_uuid: '00000000-0000-4000-8000-000000000003', grace_seconds: 3600 },
  bodyExampleNote: 'Put in the `uuid` of one of your keys.',
  response: CreatedApiKeyResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { body, caller } = request;
    const { id, appId } = await findOwnKey(services.db, caller, body.key_uuid);
    const change = changeOf(request, services);
    const { secret, ...key } = await rotateKey(services.db, {
      id,
      ...(body.grace_seconds === undefined ? {} : { graceSeconds: body.grace_seconds }),
      admit: (session) => requireRoomForKey(session, { appId, now: change.now, isSuccessor: true }),
      ...change,
    });
    services.authenticator.forget();
    return { key: viewKey(key), secret };
  },
});
