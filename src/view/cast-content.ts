import type { Cast } from '../hydrate/cast.js';
import type { Page } from '../hydrate/page.js';
import { channelTokens } from '../hydrate/text-token.js';
import { displayedUsername } from '../hydrate/user.js';
import { castText, type Range } from '../protocol/cast-text.js';
import { toIso } from '../protocol/time.js';
import { viewChannelDehydrated } from './channel/channel-dehydrated.js';
import { quoteOrNull } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';

export const viewHash = (hex: string): string => `0x${hex}`;

/** @returns the members about a cast's thread, which every form of the cast has */
export const viewCastThread = ({ row }: Cast): string => {
  const parent = row.parentHash === null ? 'null' : `"${viewHash(row.parentHash)}"`;
  return (
    `"hash":"${viewHash(row.hash)}","parent_hash":${parent},"parent_url":${quoteOrNull(row.parentUrl)},` +
    // Fid 0 means no author; the protocol rejects it, but old data may contain it.
    `"root_parent_url":${quoteOrNull(row.rootParentUrl)},"parent_author":{"fid":${row.parentFid || null}},` +
    `"timestamp":"${toIso(row.ts)}"`
  );
};

/** @returns the app that signed the cast as `UserDehydrated`; `null` if unknown */
export const viewCastApp = ({ row }: Cast, page: Page): string =>
  row.appFid === null ? 'null' : viewUserDehydrated(row.appFid, page);

/** @returns an embedded cast that this page may show; undefined if it is not stored or its author is hidden */
export const visibleEmbed = (hash: string, { embedded }: Cast, page: Page): Cast | undefined => {
  const cast = embedded.get(hash);
  return cast === undefined || page.hidden.has(cast.row.fid) ? undefined : cast;
};

/** The mentions with a position in the text. */
const placed = ({ mentions, mentionPositions }: Cast['row']): readonly number[] =>
  mentions === null ? [] : mentions.slice(0, mentionPositions?.length ?? 0);

/** @returns the mentions of existing accounts, with their index among the cast's mentions; others stay plain text */
export const knownMentions = ({ row }: Cast, { accounts }: Page): { fid: number; index: number }[] =>
  placed(row)
    .map((fid, index) => ({ fid, index }))
    .filter(({ fid }) => accounts.has(fid));

/** @returns a cast's text with the mentioned names; one range for each mention, in the cast's order */
export const viewCastText = ({ row }: Cast, { accounts, users }: Page): { text: string; ranges: Range[] } =>
  castText(
    row.text,
    placed(row).map((fid, index) => {
      const name = displayedUsername((accounts.get(fid) ?? users.get(fid))?.row ?? { username: null, fid });
      return { position: row.mentionPositions?.[index] as number, name };
    }),
  );

export const viewRange = ({ start, end }: Range): string => `{"start":${start},"end":${end}}`;

/**
 * The `/channel` tokens of a rendered text whose channels exist.
 * @param ids channel ids in the text without names: an inserted name could otherwise form a token by accident
 */
export const viewMentionedChannels = (
  text: string,
  ids: readonly string[],
  page: Page,
): { readonly channels: string; readonly ranges: string } => {
  if (ids.length === 0) return { channels: '', ranges: '' };
  const found = channelTokens(text).flatMap((token) => {
    const channel = ids.includes(token.value) ? page.channels.get(token.value) : undefined;
    return channel === undefined ? [] : [{ channel: viewChannelDehydrated(channel, page), range: viewRange(token) }];
  });
  return { channels: found.map(({ channel }) => channel).join(), ranges: found.map(({ range }) => range).join() };
};
