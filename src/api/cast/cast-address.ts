import { isUnfit } from '../http/storable-text.js';

/** A cast as its web address identifies it; hex digits in lower case, without 0x. */
export type CastAddress =
  | { readonly hash: string }
  | { readonly username: string /** 8 to 40 hex digits. */; readonly prefix: string };

const CONVERSATION = /^\/~\/conversations\/(?:0x)?([0-9a-f]{40})\/?$/i;
const BY_AUTHOR = /^\/([^/~][^/]*)\/(?:0x)?([0-9a-f]{8,40})\/?$/i;

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads the web address of a cast on any host, as Farcaster clients write it: `https://host/username/0x12345678` (at
 * least 8 hex digits) or `https://host/~/conversations/0x<40 hex digits>`.
 * @returns undefined for any other text
 */
export const readCastAddress = (text: string): CastAddress | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const hash = CONVERSATION.exec(url.pathname)?.[1];
  if (hash !== undefined) return { hash: hash.toLowerCase() };
  const [, username, prefix] = BY_AUTHOR.exec(url.pathname) ?? [];
  if (username === undefined || prefix === undefined) return undefined;
  const name = decoded(username);
  return name === undefined || isUnfit(name) ? undefined : { username: name, prefix: prefix.toLowerCase() };
};
