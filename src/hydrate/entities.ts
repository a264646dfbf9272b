import type { Dialect } from '../schema/wire-names.js';
import type { Account } from './account.js';
import type { Cast, SignerApps } from './cast.js';
import type { Channel } from './channel.js';

type Lookup<K, V> = Pick<ReadonlyMap<K, V>, 'get' | 'has'>;

/** Where the view looks up what it shows. */
export interface Entities {
  /** Unix milliseconds at which the page is made. */
  readonly now: number;
  /** Whose names the view writes. */
  readonly dialect: Dialect;
  readonly accounts: Lookup<number, Account>;
  /** Fids by the names that stand in bios. */
  readonly fidsByUsername: Lookup<string, number>;
  /** By hash, 40 hex digits; also the casts that others embed, two levels deep. */
  readonly casts: Lookup<string, Cast>;
  /** By the cast's author. */
  readonly signerApps: Lookup<number, SignerApps>;
  readonly channels: Lookup<string, Channel>;
  readonly channelsByUrl: Lookup<string, Channel>;
  /** Authors whose casts are left out where others embed them. */
  readonly hidden: Pick<ReadonlySet<number>, 'has'>;
}

/** The kinds of entities that a cache keeps; each has a map in a page. */
export const ENTITY_KINDS = [
  'accounts',
  'fidsByUsername',
  'casts',
  'signerApps',
  'channels',
  'channelsByUrl',
] as const satisfies readonly (keyof Entities)[];
export type EntityKind = (typeof ENTITY_KINDS)[number];
