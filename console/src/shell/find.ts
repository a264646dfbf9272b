import { CONSOLE } from '../api/base.js';
import { castPath, channelPath, personPath } from '../part/link.js';
import { sectionsFor } from './section.js';

/** What a typed text is. */
export type Found =
  | { readonly kind: 'open'; readonly label: string; readonly href: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'words'; readonly words: string };

const HASH = /^0x[0-9a-f]{40}$/i;
/** Links of clients end in the name of the author and the start of a hash, or in a channel. */
const CLIENT_CHANNEL = /\/(?:~\/)?channel\/([a-z0-9-]+)\/?$/i;
const CLIENT_CAST = /\/[\w.-]+\/0x[0-9a-f]{8,40}$/i;
const CLIENT_PROFILE = /^https:\/\/(?:www\.)?(?:farcaster\.xyz|warpcast\.com)\/([\w.-]+)\/?$/i;

const pagesOf = (text: string, scopes: readonly string[]): Found[] =>
  sectionsFor(scopes)
    .flatMap(({ sections }) => sections)
    .filter(({ title }) => title.toLowerCase().startsWith(text.toLowerCase()))
    .map(({ title, path }) => ({ kind: 'open', label: `Page ${title}`, href: `${CONSOLE}${path}` }));

/**
 * @param scopes of the session: without `read`, only pages are found
 * @returns what the text most likely means; hashes of casts and addresses look alike, so both are tried
 */
export const recognize = (typed: string, scopes: readonly string[]): Found[] => {
  const text = typed.trim();
  if (text === '') return [];
  if (!scopes.includes('read')) return pagesOf(text, scopes);
  if (/^\d{1,10}$/.test(text)) return [{ kind: 'open', label: `Account ${text}`, href: personPath(Number(text)) }];
  if (HASH.test(text))
    return [
      { kind: 'address', address: text.toLowerCase() },
      { kind: 'open', label: `Cast ${text}`, href: castPath(text.toLowerCase()) },
    ];
  const channel = CLIENT_CHANNEL.exec(text)?.[1] ?? /^\/([a-z0-9-]+)$/.exec(text)?.[1];
  if (channel) return [{ kind: 'open', label: `Channel /${channel}`, href: channelPath(channel) }];
  if (/^https?:\/\//i.test(text)) {
    const name = CLIENT_PROFILE.exec(text)?.[1];
    if (name) return [{ kind: 'words', words: name }];
    return CLIENT_CAST.test(text) ? [{ kind: 'url', url: text }] : [{ kind: 'words', words: text }];
  }
  return [{ kind: 'words', words: text.replace(/^@/, '') }, ...pagesOf(text, scopes)];
};
