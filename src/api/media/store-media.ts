import type { Caller } from '../../access/caller.js';
import { AppError, invalidField } from '../../error.js';
import { insertMedia, selectMediaSize } from '../../store/media/media.js';
import type { Services } from '../http/service.js';
import { mediaUrl, newMediaId } from './media-url.js';

const MAX_FILE_BYTES = 32 * 1024 * 1024;

type Dependencies = Pick<Services, 'db' | 'clock' | 'publicUrl' | 'mediaQuotaBytes'>;
type Owner = Pick<Caller, 'organizationId' | 'appId'>;

const quotaExceeded = (quota: number): AppError => {
  const message =
    `The files of this organization fill its ${quota / 1024 / 1024} MiB: ask the operator of this service to delete ` +
    'some or to raise CASTELLAN_MEDIA_QUOTA_MB.';
  return new AppError('forbidden', 'MediaQuotaExceeded', message);
};

/** For operations that pay for a file. @throws AppError forbidden if the organization's quota is used up */
export const requireMediaSpace = async (
  { db, mediaQuotaBytes }: Pick<Dependencies, 'db' | 'mediaQuotaBytes'>,
  { organizationId }: Owner,
): Promise<void> => {
  if ((await selectMediaSize(db, organizationId)) >= mediaQuotaBytes) throw quotaExceeded(mediaQuotaBytes);
};

/**
 * Stores a file, which everybody can fetch who knows its address.
 * @param file `contentType` is one of `MEDIA_EXTENSIONS`; `property` is the member of the request that decides its size
 * @returns its address
 * @throws AppError invalid if it is larger than 32 MiB, forbidden if the organization's quota is too small for it
 */
export const storeMedia = async (
  { db, clock, publicUrl, mediaQuotaBytes }: Dependencies,
  { organizationId, appId }: Owner,
  { bytes, contentType, property }: { readonly bytes: Buffer; readonly contentType: string; readonly property: string },
): Promise<string> => {
  if (bytes.length > MAX_FILE_BYTES) {
    throw invalidField(property, 'The file has more than 32 MiB: ask for fewer pixels, or for jpeg or webp.');
  }
  const id = newMediaId();
  const row = { id, organizationId, appId, contentType, size: bytes.length, bytes, createdAt: new Date(clock()) };
  if (!(await insertMedia(db, row, mediaQuotaBytes))) throw quotaExceeded(mediaQuotaBytes);
  return mediaUrl(publicUrl, { id, contentType });
};
