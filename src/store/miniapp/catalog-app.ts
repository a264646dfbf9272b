import { selectQuery, writeQuery } from '../query-function.js';

/** A mini app with a valid manifest. */
export interface CatalogApp {
  readonly domain: string;
  readonly authorFid: number;
  readonly name: string;
  readonly subtitle: string | null;
  readonly category: string | null;
  readonly tags: readonly string[];
  /** Null: the manifest requires none; empty: it requires only unknown ones. */
  readonly networks: readonly string[] | null;
  readonly homeUrl: string;
  readonly imageUrl: string;
  readonly version: string;
  /** JSON of `SocialManifest`. */
  readonly manifest: string;
  readonly etag: string | null;
  /** With a space before each word. */
  readonly searchText: string;
}

/** Stores what a manifest says; `now` is the time of the listing if the mini app was not listed before. */
export const upsertCatalogApp = writeQuery(
  'upsert_catalog_app',
  `insert into catalog_app (domain, author_fid, name, subtitle, category, tags, networks, home_url, image_url, version,
                            manifest, etag, search_text, listed_at)
   values (:domain, :authorFid, :name, :subtitle?, :category?, :tags::text[], :networks?::text[], :homeUrl, :imageUrl, :version, :manifest::jsonb, :etag?, lower(search_text(:searchText)), :now)
   on conflict (domain) do update set
     author_fid = excluded.author_fid, name = excluded.name, subtitle = excluded.subtitle,
     category = excluded.category, tags = excluded.tags, networks = excluded.networks, home_url = excluded.home_url,
     image_url = excluded.image_url, version = excluded.version, manifest = excluded.manifest, etag = excluded.etag,
     search_text = excluded.search_text`,
).done((app: CatalogApp, now: Date) => ({
  domain: app.domain,
  authorFid: app.authorFid,
  name: app.name,
  subtitle: app.subtitle,
  category: app.category,
  tags: app.tags,
  networks: app.networks,
  homeUrl: app.homeUrl,
  imageUrl: app.imageUrl,
  version: app.version,
  manifest: app.manifest,
  etag: app.etag,
  searchText: app.searchText,
  now,
}));

/** Takes a mini app out of all lists; what the operator decided about its domain stays. */
export const deleteCatalogApp = writeQuery('delete_catalog_app', 'delete from catalog_app where domain = :domain').done(
  (domain: string) => ({ domain }),
);

/** @returns the stored manifest (JSON of `SocialManifest`) and the ETag that it came with; undefined if it is not listed */
export const selectStoredManifest = selectQuery(
  'catalog_app_stored',
  'select etag, manifest::text as "manifest!" from catalog_app where domain = :domain',
).first((domain: string) => ({ domain }));
