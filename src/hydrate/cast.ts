import { isDeepStrictEqual } from 'node:util';
import { type CastRow, selectCasts } from '../store/cast-read.js';
import type { Database } from '../store/database.js';
import { accountItself, castItself } from '../store/list-source.js';
import { selectSignerApps } from '../store/signer-read.js';
import { type KeptAssembly, weighAssembly } from './assembly.js';
import type { EntitySource } from './entity-cache.js';
import type { Fragment } from './fragment.js';
import { type PerDialect, perDialect } from './per-dialect.js';
import { channelTokens } from './text-token.js';

type Counters = 'like_count' | 'recast_count' | 'reply_count' | 'quote_count';

/** What a cast says; one object stays the same as long as nothing of it changes. */
export interface CastContent {
  readonly row: Omit<CastRow, Counters>;
  /** Hashes of the casts it embeds, stored or not. */
  readonly embeddedHashes: readonly string[];
  /** Ids of `/channel` in the text, whether such a channel exists or not. */
  readonly channelIds: readonly string[];
  /** Parent URL that stands for the cast's channel, if there is such a channel. */
  readonly channelUrl: string | null;
  /** JSON of `Cast` as far as it depends on the cast and on names alone, up to the author. */
  cast?: Fragment;
  /** JSON of `CastEmbedded`. */
  embedded?: Fragment;
  /** All of `Cast` but its counters. */
  readonly assembly: PerDialect<KeptAssembly>;
}

export interface Cast {
  readonly content: CastContent;
  readonly counts: Pick<CastRow, Counters>;
  /** JSON of the counters, as the view writes them. */
  counters?: Buffer;
}

const castOf = ({ like_count, recast_count, reply_count, quote_count, ...row }: CastRow): Cast => ({
  content: {
    row,
    embeddedHashes: row.embeds.flatMap((embed) => ('hash' in embed ? [embed.hash] : [])),
    channelIds: channelTokens(row.text).map((token) => token.value),
    channelUrl: row.root_parent_url ?? row.parent_url,
    assembly: perDialect(),
  },
  counts: { like_count, recast_count, reply_count, quote_count },
});

const weightOf = (assembly: KeptAssembly | undefined): number => (assembly === undefined ? 0 : weighAssembly(assembly));

/** Text stands in the row and in the fragment, and may take two bytes a unit in the one and three in the other. */
const weigh = ({ content: { row, channelIds, assembly } }: Cast): number =>
  2_500 +
  weightOf(assembly.neutral) +
  weightOf(assembly.ecosystem) +
  5 * row.text.length +
  150 * row.mentions.length +
  250 * channelIds.length +
  row.embeds.reduce((sum, embed) => sum + ('url' in embed ? 100 + 3 * embed.url.length : 3_000), 0);

/** Casts by hash (40 hex digits, lower case, without 0x). */
export const castSource = (db: Database): EntitySource<string, Cast> => ({
  load: async (hashes) => new Map((await selectCasts(db, hashes)).map((row) => [row.hash, castOf(row)])),
  weigh,
  touchedBy: castItself,
  renew: (old, fresh) => {
    if (!isDeepStrictEqual(old.content.row, fresh.content.row)) return fresh;
    return isDeepStrictEqual(old.counts, fresh.counts) ? old : { ...fresh, content: old.content };
  },
});

/** Fid of the app behind each signer key (hex without 0x) of one account. */
export type SignerApps = ReadonlyMap<string, number>;

/** The apps behind an account's signer keys, by the account's fid. */
export const signerAppSource = (db: Database): EntitySource<number, SignerApps> => ({
  load: async (fids) => {
    const found = new Map<number, Map<string, number>>();
    for (const { fid, key, request_fid } of await selectSignerApps(db, fids)) {
      const apps = found.get(fid) ?? new Map<string, number>();
      found.set(fid, apps.set(key, request_fid));
    }
    return found;
  },
  weigh: (apps) => 150 + 150 * apps.size,
  touchedBy: accountItself,
  renew: (old, fresh) => (isDeepStrictEqual(old, fresh) ? old : fresh),
});
