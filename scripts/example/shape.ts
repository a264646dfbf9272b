/** Texts that differ from run to run: times, ids, hashes, addresses, cursors, ports. */
const VOLATILE: readonly RegExp[] = [
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
  /\b(0x)?[0-9a-f]{16,}\b/gi,
  /\b[\w+/-]{24,}={0,2}/g,
  /\b\d{9,}(-\d+)?\b/g,
];

/** Integers from here on are times, block heights of long chains or ids. */
const MIN_VOLATILE = 100_000_000;

const steady = (value: unknown): unknown => {
  if (typeof value === 'string') return VOLATILE.reduce((text, pattern) => text.replaceAll(pattern, '~'), value);
  if (typeof value === 'number') return value >= MIN_VOLATILE ? '~' : value;
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, steady(member)]));
};

/** @returns whether two responses differ at most in what differs from run to run */
export const isSameButVolatile = (one: unknown, other: unknown): boolean =>
  JSON.stringify(steady(one)) === JSON.stringify(steady(other));

/** Members that are named by data: hashes, addresses, ids. */
const DATA_NAME = /^(0x)?[0-9a-f]{16,}$|^\d+$|^0x/i;

const collect = (value: unknown, place: string, found: Set<string>): Set<string> => {
  if (Array.isArray(value)) {
    found.add(`${place}[]`);
    for (const item of value) collect(item, `${place}[]`, found);
  } else if (typeof value === 'object' && value !== null) {
    found.add(`${place}{}`);
    for (const [name, member] of Object.entries(value))
      collect(member, `${place}.${DATA_NAME.test(name) ? '*' : name}`, found);
  } else found.add(`${place} ${value === null ? 'null' : typeof value}`);
  return found;
};

/** @returns the places of a response with the types of what stands there: `.users[].fid number` */
export const shapeOf = (response: unknown): ReadonlySet<string> => collect(response, '', new Set());
