-- The catalog of mini apps: domains that casts embed, what their manifests say, and how much they are shared.

-- Every domain that was embedded and is, or was, asked for a manifest.
create table catalog_domain (
  -- host name in lower case; in development it may have a port
  domain text primary key,
  found_at timestamptz not null,
  -- what the operator decided; null: nothing
  placement text check (placement in ('featured', 'hidden')),
  -- the last attempt to read the manifest, and the last one that found a valid one
  fetched_at timestamptz,
  read_at timestamptz,
  -- time of the next attempt
  next_fetch_at timestamptz not null,
  -- attempts in a row without a valid manifest, and what was wrong the last time
  failures integer not null default 0,
  failure text
);
-- Domains without faults come first, so that others never hold up the daily reading of listed mini apps.
create index catalog_domain_due on catalog_domain ((failures > 0), next_fetch_at, domain);

-- Mini apps that are listed unless they are hidden: domains with a valid manifest.
create table catalog_app (
  domain text primary key references catalog_domain (domain) on delete cascade,
  -- the account that claims the domain
  author_fid bigint not null,
  name text not null,
  subtitle text,
  category text,
  tags text[] not null,
  -- required networks; null: the manifest names none; empty: it names only unknown ones
  networks text[],
  home_url text not null,
  image_url text not null,
  -- of the embed in the home page, else of the manifest
  version text not null,
  -- account association and mini app as responses show them
  manifest jsonb not null,
  -- ETag of the manifest's response
  etag text,
  listed_at timestamptz not null,
  -- what searches look in: a space before each word
  search_text text not null
);
create index catalog_app_search on catalog_app using gin (search_text gin_trgm_ops, domain gin_trgm_ops);

-- How much each mini app was shared and added at a moment; the columns are explained in docs/ranking.md.
create table catalog_score (
  counted_at timestamptz not null,
  domain text not null,
  score double precision not null,
  sharers integer not null,
  adds integer not null,
  -- the score less that of the snapshot this long before
  change_1h double precision not null,
  change_6h double precision not null,
  change_12h double precision not null,
  change_24h double precision not null,
  change_7d double precision not null,
  primary key (counted_at, domain)
);
