import { DIALECTS, type Dialect, wirePath } from '../../schema/wire-names.js';

/** Where mini apps send notifications, under PUBLIC_URL. */
export const NOTIFY_PATH = '/v2/social/app_host/notify/';

/** @returns the address that stands in `notificationDetails.url`, in the names that the host app speaks. */
export const notifyUrl = (publicUrl: string, dialect: Dialect): string =>
  `${publicUrl}${wirePath(NOTIFY_PATH, dialect)}`;

/** @returns every form of it: a token is good in an event that carries any of them. */
export const notifyUrls = (publicUrl: string): string[] => DIALECTS.map((dialect) => notifyUrl(publicUrl, dialect));
