import { LRUCache } from 'lru-cache';
import type { ListSource } from '../store/list-source.js';
import type { Freshness } from './freshness.js';

/** Who asks, and what decides the answers. */
interface Asker {
  readonly key: string;
  readonly sources: ReadonlySet<ListSource>;
}

interface Known<Key, Fact> {
  readonly facts: Map<Key, Fact>;
  holdsAt: number;
}

/** Bytes of an asker and of a fact, about; a key that is text takes its characters besides. */
const OVERHEAD = 500;
const PER_FACT = 50;
/** Facts about one asker that are kept; beyond, the list begins anew. */
const MOST_FACTS = 5_000;

/**
 * How each asker stands to accounts or casts: small facts that are asked for again on each page, and that all fall
 * together when one of the asker's sources is touched. Bounded in bytes, the most recent askers stay.
 */
export class FactCache<Key, Fact> {
  readonly #freshness: Freshness;
  readonly #askers: LRUCache<string, Known<Key, Fact>> | undefined;

  /** @param bytes bound of all facts; 0 keeps none */
  constructor(freshness: Freshness, bytes: number) {
    this.#freshness = freshness;
    this.#askers = bytes > 0 ? new LRUCache({ maxSize: bytes, maxEntrySize: bytes }) : undefined;
  }

  /**
   * @param load answers all keys that it is given
   * @returns facts about at least these keys; at once, without a promise, when all of them are known
   */
  read(
    asker: Asker,
    keys: readonly Key[],
    load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Fact>>,
  ): ReadonlyMap<Key, Fact> | Promise<ReadonlyMap<Key, Fact>> {
    if (this.#askers === undefined || !this.#freshness.trusted()) return load(keys);
    const known = this.#holding(asker)?.facts;
    const unknown = known === undefined ? new Set(keys) : this.#unknownOf(keys, known);
    if (known !== undefined && unknown === undefined) return known;
    return this.#learn(asker, keys, known, [...(unknown ?? [])], load);
  }

  /** @returns undefined when all are known. */
  #unknownOf(keys: readonly Key[], known: ReadonlyMap<Key, Fact>): Set<Key> | undefined {
    let unknown: Set<Key> | undefined;
    for (const key of keys) {
      if (known.has(key)) continue;
      unknown ??= new Set();
      unknown.add(key);
    }
    return unknown;
  }

  /** @returns what is known and still holds. */
  #holding({ key, sources }: Asker): Known<Key, Fact> | undefined {
    const known = this.#askers?.get(key);
    if (known === undefined || this.#freshness.log.isTouchedSince(known.holdsAt, sources)) return undefined;
    known.holdsAt = this.#freshness.log.now();
    return known;
  }

  async #learn(
    asker: Asker,
    keys: readonly Key[],
    known: ReadonlyMap<Key, Fact> | undefined,
    unknown: readonly Key[],
    load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Fact>>,
  ): Promise<ReadonlyMap<Key, Fact>> {
    const began = this.#freshness.log.now();
    const found = await load(unknown);
    const answer = new Map(found);
    for (const key of keys) if (!answer.has(key)) answer.set(key, known?.get(key) as Fact);
    // What was touched while it was read is good enough for who asked before, and for nobody else.
    if (!this.#freshness.log.isTouchedSince(began, asker.sources)) this.#keep(asker, answer);
    return answer;
  }

  #keep(asker: Asker, learned: ReadonlyMap<Key, Fact>): void {
    const held = this.#holding(asker);
    const fits = held !== undefined && held.facts.size + learned.size <= MOST_FACTS;
    const facts = fits ? held.facts : new Map<Key, Fact>();
    for (const [key, fact] of learned) facts.set(key, fact);
    const [sample] = facts.keys();
    const perFact = PER_FACT + (typeof sample === 'string' ? sample.length : 0);
    // Always another object: the list takes another size only with another value.
    const known = { facts, holdsAt: fits ? held.holdsAt : this.#freshness.log.now() };
    this.#askers?.set(asker.key, known, { size: OVERHEAD + perFact * facts.size });
  }
}
