import type { Cast, CastContent } from '../hydrate/cast.js';
import type { Entities } from '../hydrate/entities.js';
import { channelTokens } from '../hydrate/text-token.js';
import { toIso } from '../protocol/time.js';
import type { CastId } from '../schema/cast-dehydrated.js';
import type { ChannelDehydrated } from '../schema/channel-dehydrated.js';
import { castText, type Range } from './cast-text.js';
import { viewChannelDehydrated } from './channel-dehydrated.js';
import { viewUsername } from './user-dehydrated.js';

/** @returns a cast's hash as the interface writes it. */
export const viewHash = (hex: string): string => `0x${hex}`;

export const viewCastId = ({ row }: CastContent): CastId => ({ fid: row.fid, hash: viewHash(row.hash) });

/** @returns an embedded cast as this page may show it; undefined when it is not stored or its author is hidden. */
export const shownEmbed = (hash: string, page: Entities): Cast | undefined => {
  const cast = page.casts.get(hash);
  return cast === undefined || page.hidden.has(cast.content.row.fid) ? undefined : cast;
};

/** Fid of the app through which a cast was signed; undefined when it is not known. */
export const castAppFid = ({ row }: CastContent, page: Entities): number | undefined =>
  page.signerApps.get(row.fid)?.get(row.signer);

/** The mentions of accounts that exist, with their place among `row.mentions`; others stay mere text. */
export const knownMentions = ({ row }: CastContent, page: Entities): { fid: number; index: number }[] =>
  row.mentions
    .slice(0, row.mention_positions.length)
    .map((fid, index) => ({ fid, index }))
    .filter(({ fid }) => page.accounts.has(fid));

/** A cast's text with the mentioned names in it; one range for each mention, in the cast's order. */
export const viewCastText = ({ row }: CastContent, page: Entities): { text: string; ranges: Range[] } =>
  castText(
    row.text,
    row.mention_positions.slice(0, row.mentions.length).map((position, index) => {
      const fid = row.mentions[index] as number;
      const account = page.accounts.get(fid);
      return { position, name: account === undefined ? `!${fid}` : viewUsername(account.profile) };
    }),
  );

/**
 * The `/channel` tokens of a finished text whose channels exist.
 * @param ids those of the text without names: a name beside a token may make another one, which nobody meant
 */
export const viewMentionedChannels = (
  text: string,
  ids: readonly string[],
  page: Entities,
): { channels: ChannelDehydrated[]; ranges: Range[] } => {
  const found = channelTokens(text).flatMap(({ value, start, end }) => {
    const channel = ids.includes(value) ? page.channels.get(value) : undefined;
    return channel === undefined ? [] : [{ channel: viewChannelDehydrated(channel), range: { start, end } }];
  });
  return { channels: found.map(({ channel }) => channel), ranges: found.map(({ range }) => range) };
};

/** What a cast says of its place; the same in every form of it. */
export const viewCastPlace = ({ row }: CastContent) => ({
  hash: viewHash(row.hash),
  parent_hash: row.parent_hash === null ? null : viewHash(row.parent_hash),
  parent_url: row.parent_url,
  root_parent_url: row.root_parent_url,
  // Fid 0 is nobody; the protocol refuses it, old data may hold it.
  parent_author: { fid: row.parent_fid || null },
  timestamp: toIso(row.ts),
});
