import type { Session } from './database.js';

/** One thing that was changed about an organization. */
export interface AuditEntry {
  readonly organizationId: string;
  /** Of the key that asked for it over HTTP; null: an operator's command, or the service itself. */
  readonly keyId: string | null;
  /** A word with a dot: `organization.made`, `plan.upgraded`. */
  readonly action: string;
  /** What it was about, as JSON; no secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** `x-request-id` of the answer; null where there was no request. */
  readonly requestId: string | null;
  readonly at: Date;
}

export interface StoredAuditEntry extends AuditEntry {
  readonly id: number;
  /** Name of the key; null where there is none. */
  readonly keyName: string | null;
}

/** Notes a change; belongs into the transaction of the change itself. */
export const insertAuditEntry = async (session: Session, entry: AuditEntry): Promise<void> => {
  await session.kysely
    .insertInto('audit_log')
    .values({
      organization_id: entry.organizationId,
      api_key_id: entry.keyId,
      action: entry.action,
      detail: JSON.stringify(entry.detail),
      request_id: entry.requestId,
      created_at: entry.at,
    })
    .execute();
};

/**
 * @param limit the most that come back
 * @returns what was changed about an organization, newest first.
 */
export const selectAuditEntries = (
  session: Session,
  organizationId: string,
  limit: number,
): Promise<StoredAuditEntry[]> =>
  session.select<StoredAuditEntry>(
    `select l.id, l.organization_id as "organizationId", l.api_key_id as "keyId", k.name as "keyName", l.action,
            l.detail, l.request_id as "requestId", l.created_at as at
       from audit_log l left join api_key k on k.id = l.api_key_id
      where l.organization_id = $1
      order by l.id desc
      limit $2`,
    [organizationId, limit],
  );
