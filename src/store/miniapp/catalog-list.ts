import type { Reader } from '../../db/statement.js';
import { type RowOf, readQuery, searchQuery } from '../query-function.js';
import type { Audience } from '../visibility.js';
import { visibleTo } from '../visibility.js';
import { countedAt, SCORE_WINDOWS, type ScoreWindow } from './catalog-score.js';

/** What responses show of a mini app; `manifest` is the JSON of `SocialManifest`. */
export type FrameRow = RowOf<'catalog_frames'>;

/** Columns of `FrameRow`. @param app SQL alias of a row of `catalog_app` */
export const frameColumns = (app: string): string =>
  `${app}.domain, ${app}.author_fid as "authorFid", ${app}.name, ${app}.home_url as "homeUrl",
   ${app}.image_url as "imageUrl", ${app}.version, ${app}.manifest::text as "manifest!"`;

/**
 * Keeps mini apps that require one of these networks, or name none.
 * @param networks placeholder of a list; null keeps all
 */
export const onNetworks = (app: string, networks: string): string =>
  `(${networks}::text[] is null or ${app}.networks is null or ${app}.networks && ${networks}::text[])`;

/** Keeps mini apps that the operator did not hide. */
export const isShown = (app: string): string =>
  `not exists (select from catalog_domain d where d.domain = ${app}.domain and d.placement = 'hidden')`;

/** Position in the catalog. */
export interface CatalogCursor {
  readonly isFeatured: boolean;
  /** Change of the score over the window. */
  readonly change: number;
  readonly domain: string;
}

const ABOVE_ALL = 1e300;

const byChange = (window: ScoreWindow) =>
  readQuery(
    `catalog_by_change_${window}`,
    `select ${frameColumns('f')}, p.is_featured as "isFeatured!", p.change as "change!"
       from (select l.domain, l.is_featured, l.change
               from (select a.domain, a.author_fid, coalesce(s.change_${window}, 0) as change,
                            coalesce(d.placement = 'featured', false) as is_featured
                       from catalog_app a
                       join catalog_domain d on d.domain = a.domain
                       left join catalog_score s on s.domain = a.domain and s.counted_at = ${countedAt(':counted')}
                      where d.placement is distinct from 'hidden'
                        and (:categories?::text[] is null or a.category = any(:categories?::text[])) and ${onNetworks('a', ':networks?')}) l
              where (not l.is_featured, -l.change, l.domain) > (not :afterFeatured::boolean, -:afterChange::float8, :afterDomain)
                and ${visibleTo('l.author_fid', ':viewer?', ':appId')}
              order by l.is_featured desc, l.change desc, l.domain limit :limit) p
       join catalog_app f on f.domain = p.domain
      order by p.is_featured desc, p.change desc, p.domain`,
  ).rows();

const LISTS = Object.fromEntries(SCORE_WINDOWS.map((window) => [window, byChange(window)])) as Readonly<
  Record<ScoreWindow, ReturnType<typeof byChange>>
>;

export interface CatalogFilter {
  readonly window: ScoreWindow;
  /** Unix milliseconds of the count that orders the list; 0: there is none. */
  readonly counted: number;
  /** Null: all. */
  readonly categories: readonly string[] | null;
  /** Null: all. */
  readonly networks: readonly string[] | null;
}

/** Mini apps that the operator features, then the others, each by the change of their score over a window. */
export const selectCatalog = (
  db: Reader,
  { appId, viewer }: Audience,
  filter: CatalogFilter,
  after: CatalogCursor | undefined,
  limit: number,
): Promise<(FrameRow & CatalogCursor)[]> =>
  LISTS[filter.window](db, {
    viewer,
    appId,
    counted: filter.counted,
    categories: filter.categories,
    networks: filter.networks,
    afterFeatured: after?.isFeatured ?? true,
    afterChange: after?.change ?? ABOVE_ALL,
    afterDomain: after?.domain ?? '',
    limit,
  });

/** @returns the listed ones among these domains, in no order */
export const selectFrames = readQuery(
  'catalog_frames',
  `select ${frameColumns('a')} from catalog_app a where a.domain = any(:domains::text[])`,
).rows((domains: readonly string[]) => ({ domains }));

/** Position in the results of a search. */
export interface FrameSearchCursor {
  /**
   * 0: the domain or the whole name, 1: the beginning of the name, 2: of the domain, 3: of another word, 4: a part of
   * one.
   */
  readonly tier: number;
  /** Score of the count that orders the list. */
  readonly score: number;
  readonly domain: string;
}

const search = (name: 'catalog_search' | 'catalog_search_beginning', matches: string) =>
  searchQuery(
    name,
    `select ${frameColumns('l')}, l.tier as "tier!", l.score as "score!"
       from (select a.*, coalesce(s.score, 0) as score,
                    case when a.domain = :text or lower(a.name) = :text then 0
                         when starts_with(lower(a.name), :text) then 1
                         when starts_with(a.domain, :text) then 2
                         when strpos(a.search_text, ' ' || btrim(search_text(:text))) > 0 then 3
                         else 4 end as tier
               from catalog_app a
               left join catalog_score s on s.domain = a.domain and s.counted_at = ${countedAt(':counted')}
              where (${matches}) and ${isShown('a')} and ${onNetworks('a', ':networks?')}
                and ${visibleTo('a.author_fid', ':viewer?', ':appId')}) l
      where (l.tier, -l.score, l.domain) > (:afterTier::integer, -:afterScore::float8, :afterDomain)
      order by l.tier, l.score desc, l.domain limit :limit`,
  ).rows();

/**
 * The trigrams of three letters find any part of a word; fewer letters find the beginnings of words alone. In scripts
 * without spaces each letter is a word.
 */
const LETTERS = 3;
const parts = search(
  'catalog_search',
  `a.search_text like '%' || btrim(search_text(:pattern)) || '%' or a.domain like :pattern || '%'`,
);
const beginnings = search(
  'catalog_search_beginning',
  `a.search_text like '% ' || btrim(search_text(:pattern)) || '%' or a.domain like :pattern || '%'`,
);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Mini apps whose name, tags, subtitle or beginning of the domain contain a text, see `FrameSearchCursor`, then by score.
 * @param text in NFKC and lower case, not empty
 * @param filter `counted` in Unix milliseconds, 0: there is no count
 */
export const searchCatalog = (
  db: Reader,
  { appId, viewer }: Audience,
  text: string,
  filter: Pick<CatalogFilter, 'counted' | 'networks'>,
  after: FrameSearchCursor | undefined,
  limit: number,
): Promise<(FrameRow & FrameSearchCursor)[]> =>
  ([...text].length < LETTERS ? beginnings : parts)(db, {
    viewer,
    appId,
    counted: filter.counted,
    text,
    pattern: escapeLike(text),
    networks: filter.networks,
    afterTier: after?.tier ?? -1,
    afterScore: after?.score ?? ABOVE_ALL,
    afterDomain: after?.domain ?? '',
    limit,
  });
