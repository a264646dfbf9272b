/** Bytes of an object or array itself. */
const OBJECT = 56;
/** Bytes of an array element, or of a property with its slot and a boxed number. */
const ELEMENT = 8;
const MEMBER = 16;
const STRING = 24;

// biome-ignore lint/suspicious/noControlCharactersInRegex: V8 stores strings without characters above U+00FF in one byte each
const ONE_BYTE = /^[\u0000-\u00ff]*$/;

const ofMembers = (members: Iterable<unknown>, each = MEMBER): number => {
  let bytes = OBJECT;
  for (const member of members) bytes += each + memoryOf(member);
  return bytes;
};

/** @returns approximate bytes of heap of a plain value: strings, buffers, arrays, maps, sets, objects */
export const memoryOf = (value: unknown): number => {
  if (typeof value === 'string') return STRING + (ONE_BYTE.test(value) ? value.length : 2 * value.length);
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  if (Array.isArray(value)) return ofMembers(value, ELEMENT);
  if (value instanceof Set) return ofMembers(value);
  if (value instanceof Map) return ofMembers(value.keys()) + ofMembers(value.values());
  return ofMembers(Object.values(value));
};
