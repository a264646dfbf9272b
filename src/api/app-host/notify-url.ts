import { DIALECTS, type Dialect, wirePath } from '../../schema/wire-names.js';

/** Path to which mini apps send notifications, under PUBLIC_URL. */
export const NOTIFY_PATH = '/v2/social/app_host/notify/';

/** @returns the URL for `notificationDetails.url`, in the host app's dialect */
export const notifyUrl = (publicUrl: string, dialect: Dialect): string =>
  `${publicUrl}${wirePath(NOTIFY_PATH, dialect)}`;

/** @returns the URL in every dialect; an event may contain any of them */
export const notifyUrls = (publicUrl: string): string[] => DIALECTS.map((dialect) => notifyUrl(publicUrl, dialect));
