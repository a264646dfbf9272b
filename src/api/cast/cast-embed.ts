import type { Embed } from '@farcaster/core';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import { invalidField } from '../../error.js';
import type { PostCastReqBodyEmbeds } from '../../schema/social/cast-write.js';
import { selectCasts } from '../../store/query/cast.js';
import { readCastHash } from './cast-hash.js';
import { checkCastUrl } from './cast-parent.js';

type EmbedRequest = Static<typeof PostCastReqBodyEmbeds>;

/** A cast to embed, and its path in the request. */
interface Quoted {
  readonly path: string;
  readonly fid: number;
  readonly hash: string;
}

const readEmbed = (embed: EmbedRequest, index: number): { readonly url: string } | Quoted => {
  const path = `embeds[${index}]`;
  if ('url' in embed) {
    checkCastUrl(embed.url, `${path}.url`, 'embeds');
    return { url: embed.url };
  }
  const [name, id] = 'cast_id' in embed ? (['cast_id', embed.cast_id] as const) : (['castId', embed.castId] as const);
  const hash = readCastHash(id.hash);
  if (hash === undefined) throw invalidField('embeds', `${path}.${name}.hash must be 0x and 40 hex digits`);
  return { path: `${path}.${name}`, fid: id.fid, hash };
};

/**
 * @returns the embeds in the protocol's form; a cast that is not stored keeps the author and hash of the request
 * @throws AppError 'invalid' with property `embeds`
 */
export const readCastEmbeds = async (db: Database, embeds: readonly EmbedRequest[]): Promise<Embed[]> => {
  const read = embeds.map(readEmbed);
  const quoted = read.flatMap((embed) => ('hash' in embed ? [embed] : []));
  const stored =
    quoted.length === 0
      ? []
      : await selectCasts(
          db,
          quoted.map(({ hash }) => hash),
        );
  const authors = new Map(stored.map(({ hash, fid }) => [hash, fid]));
  for (const { path, fid, hash } of quoted) {
    const author = authors.get(hash) ?? fid;
    if (author !== fid) throw invalidField('embeds', `${path}.fid must be ${author}, who wrote the cast`);
  }
  return read.map((embed) =>
    'url' in embed ? embed : { castId: { fid: embed.fid, hash: Buffer.from(embed.hash, 'hex') } },
  );
};
