import { MessageSet } from '../../protocol/conflict.js';
import { PROFILE_COLUMNS, type ProfileColumn, type RegistrationRow, selectProfiles } from '../../store/account.js';
import { AUDIT_CHECKS, type Difference, selectAccountFids, selectDifferences } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { selectMessageSets } from '../../store/message.js';
import { selectSignerKeysOf } from '../../store/signer-key.js';
import { linkTypeOf, placeOf } from '../stored-message.js';
import { MergeState } from '../merge.js';
import { registrationsOf, signerKeysOf } from '../kind/onchain-event.js';
import { profileOf } from '../kind/user-data.js';

const PAGE = 500;

const shown = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
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
] as const satisfies readonly (keyof RegistrationRow)[];

/** Profiles against user data, and registrations against onchain events. */
const auditProfiles = async (db: Database, fids: readonly number[]): Promise<Difference[]> => {
  const profiles = await selectProfiles(db, fids);
  const userData = await selectMessageSets(db, [MessageSet.userData], fids);
  const registrations = await registrationsOf(db, fids);
  return profiles.flatMap((profile) => {
    const expected = profileOf(userData.filter((row) => row.fid === profile.fid));
    const registration = registrations.find((row) => row.fid === profile.fid);
    const where = String(profile.fid);
    return [
      ...(Object.keys(PROFILE_COLUMNS) as ProfileColumn[]).flatMap((column) =>
        difference(`account.${column}`, where, profile[column], expected[column]),
      ),
      ...REGISTRATION_COLUMNS.flatMap((column) =>
        difference(`account.${column}`, where, profile[column], registration?.[column]),
      ),
    ];
  });
};

/** Keys that onchain events decide, against those events. */
const auditSignerKeys = async (db: Database, fids: readonly number[]): Promise<Difference[]> => {
  const stored = new Map(
    (await selectSignerKeysOf(db, fids)).map((row) => [`${row.fid} ${shown(row.key)}`, row.active]),
  );
  const expected = await signerKeysOf(db, fids);
  return expected.flatMap((row) => {
    const where = `${row.fid} ${shown(row.key)}`;
    return difference('signer_key.active', where, stored.get(where), row.active);
  });
};

/** Links against the compact state in force. */
const auditVoidLinks = async (db: Database, fids: readonly number[]): Promise<Difference[]> => {
  const states = await selectMessageSets(db, [MessageSet.linkCompactState], fids);
  const links = await selectMessageSets(db, [MessageSet.link], fids);
  const stored = new Map(links.map((row) => [placeOf(row), row]));
  // A merge of all the links into the states alone decides every link anew.
  const merged = new MergeState(states);
  for (const link of links) merged.merge({ ...link, void: false });
  return merged.transitions().flatMap(({ after }) => {
    if (after?.message_set !== MessageSet.link) return [];
    const where = `${after.fid} ${linkTypeOf(after)} ${after.target_fid}`;
    return difference('message.void', where, stored.get(placeOf(after))?.void, after.void);
  });
};

export interface AuditProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Recomputes all derived state from the stored messages and onchain events. Nothing is changed.
 * Exact while nothing is ingested; beside a running ingest a difference may be a batch that came in between.
 * @returns the differences, at most 100 of each table or column that the database itself compares.
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
    differences.push(
      ...(await auditProfiles(db, fids)),
      ...(await auditSignerKeys(db, fids)),
      ...(await auditVoidLinks(db, fids)),
    );
    fids = await selectAccountFids(db, fids.at(-1) as number, PAGE);
  }
  onProgress?.({ done: total, total });
  return differences;
};
