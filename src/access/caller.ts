/** Who calls: what the key of a request stands for. Belongings hang on the app, never on the key, so that keys can rotate. */
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
