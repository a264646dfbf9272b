import type { Caller } from '../../access/caller.js';
import type { Session } from '../../db/statement.js';
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

interface MediaFile {
  readonly bytes: Buffer;
  /** One of `MEDIA_EXTENSIONS`. */
  readonly contentType: string;
  /** Member of the request that decides the size, for errors. */
  readonly property: string;
}

/**
 * Gives a file its address, at which everybody can fetch it who knows it.
 * @returns the address, and a function that stores the file in a transaction, or throws AppError forbidden if the
 *   organization's quota is too small for it
 * @throws AppError invalid if it is larger than 32 MiB
 */
export const addressMedia = (
  { clock, publicUrl, mediaQuotaBytes }: Omit<Dependencies, 'db'>,
  { organizationId, appId }: Owner,
  { bytes, contentType, property }: MediaFile,
): { readonly url: string; readonly store: (session: Session) => Promise<void> } => {
  if (bytes.length > MAX_FILE_BYTES) {
    throw invalidField(property, 'The file has more than 32 MiB: ask for fewer pixels, or for jpeg or webp.');
  }
  const id = newMediaId();
  const row = { id, organizationId, appId, contentType, size: bytes.length, bytes, createdAt: new Date(clock()) };
  return {
    url: mediaUrl(publicUrl, { id, contentType }),
    store: async (session) => {
      if (!(await insertMedia(session, row, mediaQuotaBytes))) throw quotaExceeded(mediaQuotaBytes);
    },
  };
};

/**
 * Stores a file now.
 * @returns its address
 * @throws AppError invalid if it is larger than 32 MiB, forbidden if the organization's quota is too small for it
 */
export const storeMedia = async (services: Dependencies, owner: Owner, file: MediaFile): Promise<string> => {
  const { url, store } = addressMedia(services, owner, file);
  await services.db.transaction(store);
  return url;
};
