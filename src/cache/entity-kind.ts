import type { Tag } from '../store/tag.js';
import type { CacheKey } from './cache.js';
import type { Loaded } from './entry.js';
import type { ReadContext } from './read-context.js';

/** One kind of thing that answers are made from, and how it is read. */
export interface EntityKind<Id, V> {
  /** @returns the key, which no other kind uses. */
  keyOf(id: Id): CacheKey;
  /** @returns what the entity is made from, whether it is stored or not. */
  tagsOf(id: Id): readonly Tag[];
  /** Set where no tag says when an absent entity comes: its absence is not cached, nor an answer made from it. */
  readonly mayComeUnnoticed?: true;
  /**
   * Reads what is stored under the ids, in a fixed number of statements; those of absent entities are left out.
   * @param read for what the entities are made from besides; their tags must be named in `Loaded.tags`
   */
  load(ids: readonly Id[], read: ReadContext): Promise<ReadonlyMap<Id, Loaded<V>>>;
}
