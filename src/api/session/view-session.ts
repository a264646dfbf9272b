import type { ConsoleSession as Session } from '../../access/console-session.js';
import type { ConsoleSession } from '../../schema/portal/session.js';
import { selectConsoleHolder } from '../../store/access/console-session.js';
import type { Services } from '../http/service.js';

/** @returns the session as the console shows it: whose key it is, and what it may do */
export const viewSession = async (
  { db, isDevelopment }: Pick<Services, 'db' | 'isDevelopment'>,
  { caller, expiresAt }: Session,
): Promise<ConsoleSession> => {
  const holder = await selectConsoleHolder(db, caller.keyId);
  if (holder === undefined) throw new Error(`the key ${caller.keyId} of a session is not stored`);
  return {
    key_uuid: caller.keyId,
    key_name: holder.keyName,
    app_uuid: caller.appId,
    app_name: holder.appName,
    app_fid: caller.appFid,
    organization_uuid: caller.organizationId,
    organization_name: holder.organizationName,
    scopes: [...caller.scopes] as ConsoleSession['scopes'],
    expires_at: expiresAt.toISOString(),
    is_development: isDevelopment,
  };
};
