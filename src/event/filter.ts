import type { TSchema } from 'typebox';
import { invalidField } from '../error.js';
import { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { compilePattern } from './pattern.js';

const MAX_LIST = 10_000;
const MAX_BYTES = 100 * 1024;
const HASH = /^(?:0x)?([0-9a-f]{40})$/i;

/** Filters that are lists of hashes; they are stored with `0x` in lower case. */
const HASHES: ReadonlySet<string> = new Set(['parent_hashes', 'embedded_cast_hashes', 'target_cast_hashes']);
const PATTERNS: ReadonlySet<string> = new Set(['text', 'embeds']);

/** The default of `minimum_author_score`. */
const NO_SCORE = 0;

type Members = Readonly<Record<string, TSchema & { readonly properties?: Readonly<Record<string, TSchema>> }>>;
const EVENTS = WebhookSubscriptionFilters.properties as Members;

/** Rejects typos: a filter with one would be stored, and its events would be missing. */
const requireKnown = (names: readonly string[], known: readonly string[], path: string, what: string): void => {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const property = `${path}.${unknown}`;
  throw invalidField(property, `${property} is no ${what}: use ${known.join(', ')}.`);
};

const readHash = (text: unknown, property: string): string => {
  const digits = HASH.exec(String(text))?.[1];
  if (digits === undefined)
    throw invalidField(property, `${property} must hold hashes: 40 hex digits, with or without 0x.`);
  return `0x${digits.toLowerCase()}`;
};

const readFid = (fid: unknown, property: string): number => {
  if (typeof fid === 'number' && Number.isSafeInteger(fid) && fid > 0) return fid;
  throw invalidField(property, `${property} must hold fids: whole numbers from 1 on.`);
};

const readList = (name: string, list: readonly unknown[], property: string): unknown[] => {
  if (list.length > MAX_LIST) throw invalidField(property, `${property} must have at most ${MAX_LIST} items.`);
  if (HASHES.has(name)) return [...new Set(list.map((item) => readHash(item, property)))];
  if (name.endsWith('fids')) return [...new Set(list.map((item) => readFid(item, property)))];
  return [...new Set(list)];
};

/** @returns the value as it is stored; undefined for one that restricts nothing */
const readFilter = (name: string, value: unknown, property: string): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? undefined : readList(name, value, property);
  if (value === '' || value === NO_SCORE) return undefined;
  if (PATTERNS.has(name)) compilePattern(String(value), property);
  return value;
};

/**
 * Reads the subscription of a request, whose types are valid. Hashes get one spelling; repeated items, empty lists and
 * empty texts are dropped.
 * @returns the filters as they are stored; none for undefined, which subscribes to nothing
 * @throws AppError `invalid` whose property names the filter: an unknown event or filter, an invalid hash or fid, a
 *   regular expression that is not allowed, more than 10,000 items in a list or 100 KiB in all
 */
export const readFilters = (
  input: WebhookSubscriptionFilters | undefined,
  property = 'subscription',
): WebhookSubscriptionFilters => {
  const events = Object.entries(input ?? {});
  requireKnown(Object.keys(input ?? {}), Object.keys(EVENTS), property, 'event');
  const filters = events.map(([event, wanted]) => {
    const path = `${property}.${event}`;
    const names = Object.keys(EVENTS[event]?.properties ?? {});
    requireKnown(Object.keys(wanted), names, path, 'filter');
    const read = Object.entries(wanted).map(([name, value]) => [name, readFilter(name, value, `${path}.${name}`)]);
    return [event, Object.fromEntries(read.filter(([, value]) => value !== undefined))] as const;
  });
  const result = Object.fromEntries(filters) as WebhookSubscriptionFilters;
  if (JSON.stringify(result).length > MAX_BYTES) {
    throw invalidField(property, `${property} must have at most ${MAX_BYTES / 1024} KiB.`);
  }
  return result;
};
