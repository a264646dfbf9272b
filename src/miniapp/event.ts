import { randomBytes } from 'node:crypto';
import type { AppHostEventType } from '../schema/miniapp/app-host.js';
import { parseJsonObject } from './json.js';

/** An event under its legacy name. */
export type LegacyEventType = Exclude<AppHostEventType, 'miniapp_added' | 'miniapp_removed'>;

/**
 * An event from a host to a mini app's server (Mini App specification, "Webhooks"), under its legacy name, which
 * servers of every version understand.
 */
export interface HostEvent {
  readonly event: LegacyEventType;
  /** Set for `notifications_enabled`, and for `frame_added` with notifications enabled. */
  readonly notificationDetails?: NotificationDetails;
}

export interface NotificationDetails {
  /** URL to which the mini app's server sends notifications. */
  readonly url: string;
  readonly token: string;
}

/** Legacy names by the names that hosts use. */
const LEGACY: Readonly<Record<AppHostEventType, LegacyEventType>> = {
  miniapp_added: 'frame_added',
  miniapp_removed: 'frame_removed',
  frame_added: 'frame_added',
  frame_removed: 'frame_removed',
  notifications_enabled: 'notifications_enabled',
  notifications_disabled: 'notifications_disabled',
};

/** @returns whether the event disables the mini app's notifications */
export const disablesNotifications = (event: LegacyEventType): boolean =>
  event === 'frame_removed' || event === 'notifications_disabled';

/**
 * @returns the payload for a host to sign. An event without token gets a `nonce`, because Ed25519 signatures of equal
 *   bytes are equal; the domain prevents its use for another mini app.
 */
export const buildEvent = (
  name: AppHostEventType,
  notificationDetails: NotificationDetails | undefined,
): HostEvent & { readonly nonce?: string } => {
  const event = LEGACY[name];
  return notificationDetails ? { event, notificationDetails } : { event, nonce: randomBytes(16).toString('base64url') };
};

const isEventType = (name: unknown): name is AppHostEventType => isText(name) && Object.hasOwn(LEGACY, name);

const isText = (value: unknown): value is string => typeof value === 'string';

const readDetails = (value: unknown): NotificationDetails | undefined => {
  const { url, token } = (value ?? {}) as Record<string, unknown>;
  return isText(url) && isText(token) ? { url, token } : undefined;
};

/**
 * Reads the payload of a signed event.
 * @returns the event under its legacy name; undefined for anything else: not JSON, an unknown name,
 *   `notifications_enabled` without a token, a disabling event with one
 */
export const readEvent = (payload: Uint8Array): HostEvent | undefined => {
  const { event: name, notificationDetails: given } = parseJsonObject(payload) ?? {};
  if (!isEventType(name)) return undefined;
  const event = LEGACY[name];
  const notificationDetails = readDetails(given);
  if (given !== undefined && (!notificationDetails || disablesNotifications(event))) return undefined;
  if (event === 'notifications_enabled' && !notificationDetails) return undefined;
  return notificationDetails ? { event, notificationDetails } : { event };
};
