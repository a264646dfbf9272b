/** A string of JSON, and the colon that follows it if it is the name of a member. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** @returns how many members the objects in a text of JSON have, each as often as it is written */
export const countMembers = (json: string): number => {
  STRING.lastIndex = 0;
  let count = 0;
  for (let match = STRING.exec(json); match !== null; match = STRING.exec(json)) if (match[1] !== undefined) count += 1;
  return count;
};

/** @returns the names of all members of a value, also of those inside */
const namesIn = (value: unknown, names: string[] = []): string[] => {
  if (typeof value !== 'object' || value === null) return names;
  if (!Array.isArray(value)) names.push(...Object.keys(value));
  for (const member of Object.values(value)) namesIn(member, names);
  return names;
};

/**
 * Finds a member that an object has twice: `JSON.parse` takes the last one, other readers the first, so that a proxy or
 * a signer may have seen another amount.
 * @param json valid JSON with at most some thousand members
 * @param value what `JSON.parse` returns for it
 * @returns the name of a member that stands twice in one object; undefined: none does
 */
export const findDuplicateMember = (json: string, value: unknown): string | undefined => {
  const names = namesIn(value);
  if (names.length === countMembers(json)) return undefined;
  const left = new Map<string, number>();
  for (const name of names) left.set(name, (left.get(name) ?? 0) + 1);
  for (const [text, colon] of json.matchAll(STRING)) {
    if (colon === undefined) continue;
    const name = JSON.parse(text.slice(0, text.length - colon.length)) as string;
    const times = left.get(name) ?? 0;
    if (times === 0) return name;
    left.set(name, times - 1);
  }
  return undefined;
};
