import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { Session } from '../db/statement.js';
import { invalidField, notFound } from '../error.js';
import { EXAMPLE_APP_UUID, EXAMPLE_ORGANIZATION_UUID } from '../schema/example.js';
import { APP_SCOPES, isScope, SCOPES, type Scope } from '../schema/scope.js';
import {
  type ApiKey,
  insertApiKey,
  selectApiKeyForUpdate,
  updateApiKeyEnd,
  updateApiKeyRevoked,
  upsertConfiguredApiKey,
} from '../store/access/api-key.js';
import { insertApp, selectApp } from '../store/access/app.js';
import { type Actor, actorColumns, insertAuditEntry } from '../store/access/audit-log.js';
import { insertOrganization } from '../store/access/organization.js';
import { isUuid } from '../uuid.js';

/** Organization and app of a new installation; keys belong to them unless given. */
export const DEFAULT_ORGANIZATION_ID = EXAMPLE_ORGANIZATION_UUID;
export const DEFAULT_APP_ID = EXAMPLE_APP_UUID;

const SECRET_BYTES = 32;
const PREFIX_LENGTH = 8;
const DEFAULT_GRACE_SECONDS = 24 * 60 * 60;

/** A key just made. `secret` is shown this once: only its hash is stored. */
export interface CreatedKey extends ApiKey {
  readonly secret: string;
}

/** @returns SHA-256 of a key, the form in which keys are stored and looked up. */
export const hashKey = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const generateSecret = (): string => `cst_${randomBytes(SECRET_BYTES).toString('base64url')}`;

const store = async (
  session: Session,
  key: { readonly appId: string; readonly name: string; readonly scopes: readonly string[]; readonly expiresAt?: Date },
): Promise<CreatedKey> => {
  const secret = generateSecret();
  const stored = await insertApiKey(session, {
    ...key,
    hash: hashKey(secret),
    prefix: secret.slice(0, PREFIX_LENGTH),
  });
  return { ...stored, secret };
};

const checkScopes = (scopes: readonly string[]): void => {
  const wrong = scopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw invalidField('scopes', `${wrong} is not a scope: use ${SCOPES.join(', ')}`);
  if (scopes.length === 0) throw invalidField('scopes', 'a key needs at least one scope');
};

const checkId = (property: string, id: string): void => {
  if (!isUuid(id)) throw invalidField(property, `${id} is not an id`);
};

/**
 * Makes a key of 256 random bits.
 * @param options `scopes` is `read` alone unless given, `appId` the default app; `admit` throws, in the same transaction,
 *   where there is no room for another key.
 * @throws AppError 'invalid' for an unknown scope or an end that has passed, 'not_found' for an unknown app.
 */
export const createKey = async (
  db: Database,
  options: {
    readonly name: string;
    readonly appId?: string;
    readonly scopes?: readonly Scope[];
    readonly expiresAt?: Date;
    readonly admit?: (session: Session) => Promise<void>;
    readonly actor?: Actor;
    readonly now: Date;
  },
): Promise<CreatedKey> => {
  const { appId = DEFAULT_APP_ID, scopes = ['read'], expiresAt, name, admit, actor, now } = options;
  checkScopes(scopes);
  checkId('app', appId);
  if (expiresAt !== undefined && !(expiresAt > now))
    throw invalidField('expires_at', 'the end of a key must be in the future');
  return db.transaction(async (session) => {
    if ((await selectApp(session, appId)) === undefined) throw notFound(`there is no app ${appId}`, 'app');
    await admit?.(session);
    const key = await store(session, { appId, name, scopes: [...new Set(scopes)], ...(expiresAt && { expiresAt }) });
    await logKeyChange(session, key, { action: 'key.made', actor, now });
    return key;
  });
};

/** The log of changes of an organization says which of its keys were made, replaced and ended, and by whom. */
const logKeyChange = async (
  session: Session,
  { id, appId, name, scopes }: ApiKey,
  { action, actor, now }: { action: string; actor: Actor | undefined; now: Date },
): Promise<void> => {
  const app = await selectApp(session, appId);
  if (app === undefined) return;
  const detail = { key: id, name, appId, scopes };
  await insertAuditEntry(session, {
    ...actorColumns(actor),
    organizationId: app.organizationId,
    action,
    detail,
    at: now,
  });
};

/**
 * Makes a key with the name, app, scopes and end of another one, which ends after the grace: until then both work.
 * @param options `graceSeconds` is a day unless given; `admit` throws, in the same transaction, where there is no room for
 *   another key.
 * @throws AppError 'not_found' for an unknown key, 'invalid' for one that has ended.
 */
export const rotateKey = async (
  db: Database,
  options: {
    readonly id: string;
    readonly graceSeconds?: number;
    readonly admit?: (session: Session) => Promise<void>;
    readonly actor?: Actor;
    readonly now: Date;
  },
): Promise<CreatedKey> => {
  const { id, graceSeconds = DEFAULT_GRACE_SECONDS, admit, actor, now } = options;
  checkId('key_uuid', id);
  return db.transaction(async (session) => {
    await admit?.(session);
    const old = await selectApiKeyForUpdate(session, id);
    if (old === undefined) throw notFound(`there is no key ${id}`, 'key_uuid');
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw invalidField('key_uuid', 'this key has ended already: create a new one');
    }
    await updateApiKeyEnd(session, id, new Date(now.getTime() + graceSeconds * 1000));
    await logKeyChange(session, old, { action: 'key.rotated', actor, now });
    const { appId, name, scopes, expiresAt } = old;
    return store(session, { appId, name, scopes, ...(expiresAt && { expiresAt }) });
  });
};

/**
 * Ends a key for good. A running service forgets it within a second.
 * @throws AppError 'not_found' for an unknown key.
 */
export const revokeKey = async (
  db: Database,
  options: { readonly id: string; readonly actor?: Actor; readonly now: Date },
): Promise<ApiKey> => {
  const { id, actor, now } = options;
  checkId('key_uuid', id);
  return db.transaction(async (session) => {
    const revoked = await updateApiKeyRevoked(session, id, now);
    if (revoked === undefined) throw notFound(`there is no key ${id}`, 'key_uuid');
    await logKeyChange(session, revoked, { action: 'key.revoked', actor, now });
    return revoked;
  });
};

/**
 * Creates the default organization and app where they are missing, and the configured key. A key of an earlier
 * configuration is revoked, because it may have leaked. Several processes may run it repeatedly.
 * @param scopes of the configured key
 * @returns whether the configured key works: not if it was revoked, or replaced, while it was configured
 */
export const ensureDefaultAccess = async (
  db: Database,
  configuredKey: string | undefined,
  now: Date,
  scopes: readonly Scope[] = APP_SCOPES,
): Promise<boolean> =>
  db.transaction(async (session) => {
    await insertOrganization(session, { id: DEFAULT_ORGANIZATION_ID, name: 'default', createdAt: now });
    await insertApp(session, { id: DEFAULT_APP_ID, organizationId: DEFAULT_ORGANIZATION_ID, name: 'default' });
    if (configuredKey === undefined) return true;
    return upsertConfiguredApiKey(
      session,
      {
        appId: DEFAULT_APP_ID,
        name: 'configured',
        hash: hashKey(configuredKey),
        prefix: configuredKey.slice(0, Math.min(PREFIX_LENGTH, Math.floor(configuredKey.length / 4))),
        scopes,
      },
      now,
    );
  });
