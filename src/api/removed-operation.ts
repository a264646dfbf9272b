/** Reads that left the interface with its version 3.184.0 and that programs still call, with those that serve now. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  'feed/for_you': ['feed/following/', 'feed/?feed_type=filter'],
  'feed/trending': ['topic/trending/', 'channel/trending/'],
};

const PATH = /^(\/v2\/(?:social|farcaster)\/)([^?]+?)\/*$/;

/**
 * @param path without the query
 * @returns what to tell the callers of a read that left the interface; undefined for every other path
 */
export const removalOf = (method: string, path: string): string | undefined => {
  const [, prefix = '', name = ''] = PATH.exec(path) ?? [];
  if (method !== 'GET' || !Object.hasOwn(REPLACED, name)) return undefined;
  const instead = REPLACED[name]?.map((operation) => `${prefix}${operation}`).join(' or ');
  return `${path} left the interface. Call ${instead} instead.`;
};
