import { randomBytes } from 'node:crypto';
import type { AppHostEventType } from '../schema/miniapp/app-host.js';

/**
 * What a host tells a mini app's server (Mini App specification, "Webhooks"), under its legacy name: that is what
 * servers of every age understand.
 */
export interface HostEvent {
  readonly event: AppHostEventType;
  /** With `notifications_enabled`, and with `frame_added` where notifications are on at once. */
  readonly notificationDetails?: NotificationDetails;
}

export interface NotificationDetails {
  /** Where the mini app's server sends notifications. */
  readonly url: string;
  readonly token: string;
}

/** The newer names of the same events, which hosts that sign themselves may use. */
const LEGACY: Readonly<Record<string, AppHostEventType>> = {
  miniapp_added: 'frame_added',
  miniapp_removed: 'frame_removed',
  frame_added: 'frame_added',
  frame_removed: 'frame_removed',
  notifications_enabled: 'notifications_enabled',
  notifications_disabled: 'notifications_disabled',
};

/** @returns whether the event ends the mini app's right to notify. */
export const endsNotifications = (event: AppHostEventType): boolean =>
  event === 'frame_removed' || event === 'notifications_disabled';

/**
 * @returns the event as a host signs it. One without a token has a `nonce` instead: Ed25519 signatures of the same
 *   bytes are the same, and one that was made for a domain is taken for no other.
 */
export const buildEvent = (
  event: AppHostEventType,
  notificationDetails: NotificationDetails | undefined,
): HostEvent & { readonly nonce?: string } =>
  notificationDetails ? { event, notificationDetails } : { event, nonce: randomBytes(16).toString('base64url') };

const isText = (value: unknown): value is string => typeof value === 'string';

const readDetails = (value: unknown): NotificationDetails | undefined => {
  const { url, token } = (value ?? {}) as Record<string, unknown>;
  return isText(url) && isText(token) ? { url, token } : undefined;
};

/**
 * Reads the payload of a signed event.
 *
 * @returns the event under its legacy name; undefined for what is no event of this kind: no JSON, an unknown name,
 *   `notifications_enabled` without a token, an ending with one
 */
export const readEvent = (payload: Uint8Array): HostEvent | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { event: name, notificationDetails: given } = value as Record<string, unknown>;
  const event = isText(name) && Object.hasOwn(LEGACY, name) ? LEGACY[name] : undefined;
  if (event === undefined) return undefined;
  const notificationDetails = readDetails(given);
  if (given !== undefined && (!notificationDetails || endsNotifications(event))) return undefined;
  if (event === 'notifications_enabled' && !notificationDetails) return undefined;
  return notificationDetails ? { event, notificationDetails } : { event };
};
