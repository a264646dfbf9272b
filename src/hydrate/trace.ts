import type { Account, Profile } from './account.js';
import type { Assembly } from './assembly.js';
import type { Cast, CastContent } from './cast.js';
import { ENTITY_KINDS, type Entities, type EntityKind } from './entities.js';
import type { Entry } from './entity-cache.js';
import { endOf } from './kept.js';
import { keepIn } from './per-dialect.js';

/** No revision. */
const NEVER = -1;

/** Where the entities of each kind are kept. */
export type EntityEntries = {
  readonly [Kind in EntityKind]: { entry(key: never): Entry<unknown, unknown> | undefined };
} & { readonly casts: { reweigh(hash: string): void } };

/**
 * Notes what is looked up while a cast or a user is put together, so that nothing that it shows can be forgotten among
 * what it depends on.
 */
export class Trace {
  /** Look things up here. */
  readonly entities: Entities;
  readonly #entries: EntityEntries;
  #from = new Set<Entry<unknown, unknown>>();
  #embeddedAuthors = new Set<number>();
  /** Whether all of it is kept in caches, as it was looked up, and the same for everybody. */
  #keepable = true;

  constructor(page: Entities, entries: EntityEntries) {
    this.#entries = entries;
    const noting = (kind: EntityKind) => {
      const map = page[kind] as { get(key: unknown): unknown };
      const get = (key: unknown): unknown => {
        const value = map.get(key);
        if (this.#keepable) this.#note(entries[kind].entry(key as never), value);
        return value;
      };
      return { get, has: (key: unknown) => get(key) !== undefined };
    };
    this.entities = {
      ...(Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, noting(kind)])) as unknown as Pick<
        Entities,
        EntityKind
      >),
      now: page.now,
      dialect: page.dialect,
      hidden: { has: (fid) => this.#hides(fid, page) },
    };
  }

  /** Forgets what was looked up for the cast or user before. */
  begin(): void {
    this.#from = new Set();
    this.#embeddedAuthors = new Set();
    this.#keepable = true;
  }

  /** Keeps what was put together since `begin` in its cast, where that is right for other pages. */
  finish(content: CastContent, assembly: Assembly): void {
    const { hash } = content.row;
    const { casts } = this.#entries;
    if (!this.#keepable || (casts.entry(hash as never)?.value as Cast | undefined)?.content !== content) return;
    keepIn(content.assembly, this.entities.dialect, {
      ...assembly,
      from: [...this.#from],
      endsAt: endOf(assembly.until),
      heldAt: NEVER,
      faces: this.#faces(content.row.fid, assembly.appFid),
      embeddedAuthors: [...this.#embeddedAuthors],
    });
    casts.reweigh(hash);
  }

  /** Keeps what was looked up since `begin` for the fragment of a user, where that is right for other pages. */
  finishUser({ user }: Profile): void {
    if (user === undefined || !this.#keepable) return;
    user.kept = { from: [...this.#from], endsAt: endOf(user.until), heldAt: NEVER };
  }

  /** They were looked up and noted, so they are there. */
  #faces(...fids: readonly (number | undefined)[]): Entry<number, Account>[] {
    const entries = fids.map((fid) => (fid === undefined ? undefined : this.#entries.accounts.entry(fid as never)));
    return entries.filter((entry) => entry !== undefined) as Entry<number, Account>[];
  }

  /** The cache may have gone on since the page was read; then others must not take this for the newest. */
  #note(entry: Entry<unknown, unknown> | undefined, value: unknown): void {
    if (entry === undefined || entry.value !== value || !entry.isCurrent()) this.#keepable = false;
    else this.#from.add(entry);
  }

  #hides(fid: number, page: Entities): boolean {
    this.#embeddedAuthors.add(fid);
    const hidden = page.hidden.has(fid);
    if (hidden) this.#keepable = false;
    return hidden;
  }
}
