import { execute, type Session, sql } from '../../db/statement.js';
import { readQuery, selectQuery } from '../query-function.js';
import { type Camel, insertText, valuesOf, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = ['id', 'organization_id', 'app_id', 'content_type', 'size', 'bytes', 'created_at'] as const;
type NewMedia = Camel<Written<Tables['media']>>;

const insertMediaSql = sql('insert_media', insertText('media', COLUMNS));

/** @returns the size of all files of an organization, in bytes. */
export const selectMediaSize = selectQuery<{ bytes: number }>(
  'media_size',
  'select coalesce(sum(size), 0)::bigint as bytes from media where organization_id = $1',
).valueOr('bytes', 0, (organizationId: string) => [organizationId]);

const lockOrganizationSql = sql(
  'lock_organization_media',
  'select id from organization where id = $1 for no key update',
);

/**
 * Stores a file, unless the organization's files were larger than its quota then.
 * @param session a transaction
 * @param quota in bytes
 * @returns whether it was stored
 */
export const insertMedia = async (session: Session, media: NewMedia, quota: number): Promise<boolean> => {
  // Otherwise two files that arrive together could both use the last free space.
  await execute(session, lockOrganizationSql, [media.organizationId]);
  if ((await selectMediaSize(session, media.organizationId)) + media.size > quota) return false;
  await execute(session, insertMediaSql, valuesOf(COLUMNS, media));
  return true;
};

/** A file as it is served. */
type MediaFile = Camel<Pick<Tables['media'], 'content_type' | 'bytes'>>;

/** @returns the file of that id; undefined when there is none. */
export const selectMedia = readQuery<MediaFile>(
  'media_by_id',
  'select content_type as "contentType", bytes from media where id = $1',
).first((id: string) => [id]);
