-- Trending topics by run of the job that counts them (docs/ranking.md). A run without topics has no rows in topic.
create table topic_run (
  counted_at timestamptz primary key
);

create table topic (
  counted_at timestamptz not null references topic_run on delete cascade,
  -- 1: the strongest of its run
  place integer not null,
  -- words joined by _
  slug text not null,
  name text not null,
  -- in the language of the search for casts
  query text not null,
  top_level_topic text not null,
  summary text,
  -- latest first
  authors bigint[] not null,
  primary key (counted_at, place)
);
create index topic_slug on topic (slug, counted_at desc);

-- What the language model answered about a conversation, because each question costs money.
create table conversation_summary (
  -- SHA-256 of everything that was asked
  digest bytea primary key,
  text text not null,
  created_at timestamptz not null
);
create index conversation_summary_age on conversation_summary (created_at);
