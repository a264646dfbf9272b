import type { ApiKeyShape } from '../../schema/api-key.js';
import type { ApiKey } from '../../store/access/api-key.js';

/** @returns a key as it is shown, without its secret */
export const viewKey = (key: ApiKey): ApiKeyShape => ({
  uuid: key.id,
  app_uuid: key.appId,
  name: key.name,
  prefix: key.prefix,
  scopes: [...key.scopes],
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});
