import { selectQuery, writeQuery } from '../query-function.js';
import { insertText } from '../table.js';

/** A change of an organization. */
export interface AuditEntry {
  readonly organizationId: string;
  /** API key of the request; null or absent: an operator's command, or the service itself. */
  readonly keyId?: string | null;
  /** A word with a dot: `organization.made`, `plan.upgraded`. */
  readonly action: string;
  /** Details, as JSON; no secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** `x-request-id` of the response; null or absent without a request. */
  readonly requestId?: string | null;
  readonly at: Date;
}

/** Who changed something in a request; absent: an operator's command. */
export interface Actor {
  readonly keyId: string;
  /** `x-request-id` of the response. */
  readonly requestId: string;
}

/** @returns the members of an entry that say who made the change */
export const actorColumns = (actor: Actor | undefined): Pick<AuditEntry, 'keyId' | 'requestId'> => ({
  keyId: actor?.keyId ?? null,
  requestId: actor?.requestId ?? null,
});

export interface StoredAuditEntry extends Required<AuditEntry> {
  readonly id: number;
  /** Name of the key; null where there is none. */
  readonly keyName: string | null;
}

/** Call it in the transaction of the change itself. */
export const insertAuditEntry = writeQuery(
  'audit_log_insert',
  insertText('audit_log', ['organization_id', 'api_key_id', 'action', 'detail', 'request_id', 'created_at']),
).done((entry: AuditEntry) => {
  const { organizationId, keyId = null, action, detail, requestId = null, at } = entry;
  return { organizationId, apiKeyId: keyId, action, detail: JSON.stringify(detail), requestId, createdAt: at };
});

/**
 * @param limit the most that come back
 * @returns the changes of an organization, newest first.
 */
export const selectAuditEntries = selectQuery(
  'select_audit_entries',
  `select l.id, l.organization_id as "organizationId", l.api_key_id as "keyId", k.name as "keyName", l.action,
          l.detail, l.request_id as "requestId", l.created_at as at
     from audit_log l left join api_key k on k.id = l.api_key_id
    where l.organization_id = :organizationId
    order by l.id desc
    limit :limit`,
).rows((organizationId: string, limit: number) => ({ organizationId, limit }));
