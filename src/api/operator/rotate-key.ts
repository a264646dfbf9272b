import { rotateKey as replaceKey } from '../../access/key.js';
import { CreatedApiKeyResponse, RotateKeyReqBody } from '../../schema/api-key.js';
import { operation } from '../http/operation.js';
import { viewKey } from '../key/view-key.js';
import { changeOf } from './change.js';

export const rotateKey = operation({
  id: 'rotate-key',
  method: 'POST',
  path: '/operator/key/rotate',
  tags: ['operator'],
  title: 'Rotate a key',
  summary:
    'Make the successor of a key, with the same app, scopes and end, and return it this once; the old one works on for a while.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: RotateKeyReqBody,
  bodyExample: { key_uuid: '00000000-0000-4000-8000-000000000003', grace_seconds: 3600 },
  bodyExampleNote: 'Put in the `uuid` of one of your keys.',
  response: CreatedApiKeyResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { body } = request;
    const { secret, ...key } = await replaceKey(services.db, {
      id: body.key_uuid,
      ...(body.grace_seconds === undefined ? {} : { graceSeconds: body.grace_seconds }),
      ...changeOf(request, services),
    });
    services.authenticator.forget();
    return { key: viewKey(key), secret };
  },
});
