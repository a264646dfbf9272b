import Type, { type Static } from 'typebox';
import { namedObject } from './named.js';
import { nullable } from './nullable.js';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const uuid = Type.String({ format: 'uuid' });

/** A key without its secret, which is stored nowhere. */
export const ApiKeyShape = namedObject('ApiKey', {
  uuid,
  app_uuid: uuid,
  name: text,
  prefix: Type.String({ description: 'Its first characters.' }),
  scopes: Type.Array(text),
  created_at: time,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  last_used_at: nullable(time),
});
export type ApiKeyShape = Static<typeof ApiKeyShape>;

export const ApiKeysResponse = namedObject('ApiKeysResponse', {
  keys: Type.Array(ApiKeyShape, { description: 'Oldest first, with those that have ended.' }),
});
export const ApiKeyResponse = namedObject('ApiKeyResponse', { key: ApiKeyShape });
export const CreatedApiKeyResponse = namedObject('CreatedApiKeyResponse', {
  key: ApiKeyShape,
  secret: Type.String({ description: 'The API key. It is shown this once: only its hash is stored.' }),
});

export const RotateKeyReqBody = namedObject('RotateKeyReqBody', {
  key_uuid: uuid,
  grace_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 7_776_000, description: 'How long the old key works on; a day unless given.' }),
  ),
});

export const RevokeKeyReqBody = namedObject('RevokeKeyReqBody', { key_uuid: uuid });
