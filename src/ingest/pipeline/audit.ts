import type { Database } from '../../db/database.js';
import type { Session } from '../../db/statement.js';
import { toHex } from '../../hex.js';
import { MessageSet } from '../../protocol/conflict.js';
import { AUDIT_CHECKS, type Difference, selectAccountFids, selectDifferences } from '../../store/audit/audit.js';
import { PROFILE_COLUMNS, type ProfileColumn, selectProfiles } from '../../store/protocol/account.js';
import { selectMessageSets } from '../../store/protocol/message.js';
import { type SignerKeyRow, selectSignerKeysOf } from '../../store/protocol/signer-key.js';
import { memberName } from '../../store/table.js';
import type { Tables } from '../../store/tables.js';
import { registrationsOf } from '../kind/onchain-event.js';
import { signerKeysOf } from '../kind/signer-key.js';
import { profileOf } from '../kind/user-data.js';
import { MergeState } from '../merge.js';
import { conflictKeyOf, linkTypeOf } from '../stored-message.js';

const PAGE = 500;

const shown = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return toHex(value);
  return value instanceof Date ? value.toISOString() : String(value);
};

const difference = (what: string, where: string, stored: unknown, expected: unknown): Difference[] => {
  const pair = { stored: shown(stored), expected: shown(expected) };
  return pair.stored === pair.expected ? [] : [{ what, where, ...pair }];
};

const REGISTRATION_COLUMNS = [
  'custody_address',
  'recovery_address',
  'registered_at',
  'pro_subscribed_at',
  'pro_expires_at',
] as const satisfies readonly (keyof Tables['account'])[];

/** Compares profiles with user data, and registrations with onchain events. */
const auditProfiles = async (db: Session, fids: readonly number[]): Promise<Difference[]> => {
  const profiles = await selectProfiles(db, fids);
  const userData = await selectMessageSets(db, [MessageSet.userData], fids);
  const registrations = await registrationsOf(db, fids);
  return profiles.flatMap((profile) => {
    const expected = profileOf(userData.filter((row) => row.fid === profile.fid));
    const registration = registrations.find((row) => row.fid === profile.fid);
    const where = String(profile.fid);
    return [
      ...(Object.keys(PROFILE_COLUMNS) as ProfileColumn[]).flatMap((column) =>
        difference(`account.${column}`, where, profile[memberName(column)], expected[column]),
      ),
      ...REGISTRATION_COLUMNS.flatMap((column) =>
        difference(`account.${column}`, where, profile[memberName(column)], registration?.[memberName(column)]),
      ),
    ];
  });
};

/** Compares keys with onchain events and messages; a key without either must be inactive. */
const auditSignerKeys = async (db: Session, fids: readonly number[]): Promise<Difference[]> => {
  const keyIdOf = ({ fid, key }: Pick<SignerKeyRow, 'fid' | 'key'>): string => `${fid} ${shown(key)}`;
  const stored = new Map((await selectSignerKeysOf(db, fids)).map((row) => [keyIdOf(row), row]));
  const expected = new Map((await signerKeysOf(db, fids)).map((row) => [keyIdOf(row), row]));
  return [...new Set([...stored.keys(), ...expected.keys()])].flatMap((where) => {
    const [row, key] = [stored.get(where), expected.get(where)];
    const active = difference('signer_key.active', where, row?.active, key?.active ?? false);
    if (!key) return active;
    return [
      ...active,
      ...difference('signer_key.scopes', where, row?.scopes, key.scopes),
      ...difference('signer_key.ttl', where, row?.ttl, key.ttl),
    ];
  });
};

/** Compares void links with the current compact state. */
const auditVoidLinks = async (db: Session, fids: readonly number[]): Promise<Difference[]> => {
  const states = await selectMessageSets(db, [MessageSet.linkCompactState], fids);
  const links = await selectMessageSets(db, [MessageSet.link], fids);
  const stored = new Map(links.map((row) => [conflictKeyOf(row), row]));
  // Merging all links into the compact states alone decides every link again.
  const merged = new MergeState(states);
  for (const link of links) merged.merge({ ...link, void: false });
  return merged.transitions().flatMap(({ after }) => {
    if (after?.messageSet !== MessageSet.link) return [];
    const where = `${after.fid} ${linkTypeOf(after)} ${after.targetFid}`;
    return difference('message.void', where, stored.get(conflictKeyOf(after))?.void, after.void);
  });
};

export interface AuditProgress {
  readonly done: number;
  readonly total: number;
}

/** In one snapshot: the service may store messages meanwhile. */
const auditAccounts = (db: Database, fids: readonly number[]): Promise<Difference[]> =>
  db.transaction(async (session) => {
    await session.run('set transaction isolation level repeatable read, read only');
    return [
      ...(await auditProfiles(session, fids)),
      ...(await auditSignerKeys(session, fids)),
      ...(await auditVoidLinks(session, fids)),
    ];
  });

/**
 * Recomputes all derived state from the stored messages and onchain events, without changes.
 * Exact also while the service stores messages: each check is one statement, or one snapshot for some accounts.
 * @returns the differences, at most 100 of each table or column that the database itself compares
 */
export const audit = async (db: Database, onProgress?: (progress: AuditProgress) => void): Promise<Difference[]> => {
  const differences: Difference[] = [];
  const total = AUDIT_CHECKS.length + 1;
  for (const [done, check] of AUDIT_CHECKS.entries()) {
    onProgress?.({ done, total });
    differences.push(...(await selectDifferences(db, check)));
  }
  onProgress?.({ done: total - 1, total });
  for (let fids = await selectAccountFids(db, -1, PAGE); fids.length > 0; ) {
    differences.push(...(await auditAccounts(db, fids)));
    fids = await selectAccountFids(db, fids.at(-1) as number, PAGE);
  }
  onProgress?.({ done: total, total });
  return differences;
};
