/** Authenticated caller of a request. Data belongs to the app and never to the key, so that keys can be rotated. */
export interface Caller {
  readonly keyId: string;
  readonly appId: string;
  /** The app's own account; null when it has none. */
  readonly appFid: number | null;
  readonly organizationId: string;
  /** What its organization subscribes to; null: the default plan. A change is known within a second. */
  readonly planId: string | null;
  readonly scopes: ReadonlySet<string>;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Caller of all reads without a key: an app without bans, mutes and seen marks, which no row names. */
export const KEYLESS_CALLER: Caller = {
  keyId: 'keyless',
  appId: NOBODY,
  appFid: null,
  organizationId: NOBODY,
  planId: null,
  scopes: new Set(['read']),
};
