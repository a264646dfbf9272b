import type { Session } from '../../db/statement.js';
import { readQuery, selectQuery, writeQuery } from '../query-function.js';
import { type Camel, insertText, type Written } from '../table.js';
import type { Tables } from '../tables.js';

const COLUMNS = ['id', 'organization_id', 'app_id', 'content_type', 'size', 'bytes', 'created_at'] as const;
type NewMedia = Camel<Written<Tables['media']>>;

const insertFile = writeQuery('insert_media', insertText('media', COLUMNS)).done();

/** @returns the size of all files of an organization, in bytes. */
export const selectMediaSize = selectQuery(
  'media_size',
  'select coalesce(sum(size), 0)::bigint as "bytes!" from media where organization_id = :organizationId',
).valueOr('bytes', 0, (organizationId: string) => ({ organizationId }));

const lockOrganization = writeQuery(
  'lock_organization_media',
  'select id from organization where id = :id for no key update',
).done();

/**
 * Stores a file, unless the organization's files were larger than its quota then.
 * @param session a transaction
 * @param quota in bytes
 * @returns whether it was stored
 */
export const insertMedia = async (session: Session, media: NewMedia, quota: number): Promise<boolean> => {
  // Otherwise two files that arrive together could both use the last free space.
  await lockOrganization(session, { id: media.organizationId });
  if ((await selectMediaSize(session, media.organizationId)) + media.size > quota) return false;
  await insertFile(session, media);
  return true;
};

/** @returns the file of that id; undefined when there is none. */
export const selectMedia = readQuery(
  'media_by_id',
  'select content_type as "contentType", bytes from media where id = :id',
).first((id: string) => ({ id }));
