import type { Account } from './account.js';
import type { Entry } from './entity-cache.js';
import type { Kept } from './kept.js';

/** A user shown in full within a cast. */
interface PlacedUser {
  readonly fid: number;
  /** The byte of the cast that ends this user: before it more members of the user may stand. */
  readonly at: number;
}

/** A cast put together from the fragments of everything that it shows. */
export interface Assembly {
  /** JSON of `Cast` up to its counters and without `viewer_context`; the users in it have their counters. */
  readonly bytes: Buffer;
  /** In the order of their places. */
  readonly users: readonly PlacedUser[];
  /** Fid of the app behind the cast, if it is known. */
  readonly appFid: number | undefined;
  /** Unix milliseconds at which it becomes void by itself. */
  readonly until: number;
  /** The bytes without the ends of the users, cut there; for whoever adds something to the users. */
  pieces?: readonly Buffer[];
}

/** One that lives in its cast, for whoever shows that next. */
export interface KeptAssembly extends Assembly, Kept {
  /** Author and app, for who shows them beside the cast. */
  readonly faces: readonly Entry<number, Account>[];
  /** Authors of the casts that it embeds: from whom one of them is hidden must not get it. */
  readonly embeddedAuthors: readonly number[];
}

/** Bytes beside the JSON, about: the records and the buffer's own, a user's place and the piece before it, an entry. */
const OVERHEAD = 500;
const PER_USER = 200;
const PER_ENTRY = 8;

/** @returns bytes that it takes in memory, the entities aside. */
export const weighAssembly = ({ bytes, users, from, faces }: KeptAssembly): number =>
  OVERHEAD + bytes.length + PER_USER * users.length + PER_ENTRY * (from.length + faces.length);
