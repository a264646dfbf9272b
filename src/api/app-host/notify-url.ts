/** Where mini apps send notifications, under PUBLIC_URL. */
export const NOTIFY_PATH = '/v2/social/app_host/notify/';

/** @returns the address that stands in `notificationDetails.url`. */
export const notifyUrl = (publicUrl: string): string => `${publicUrl}${NOTIFY_PATH}`;
