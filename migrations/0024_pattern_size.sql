-- Instructions of the regular expressions of each webhook, of which an app and the service have a limited number. Those of
-- older webhooks are estimated from the length of the expressions.
alter table webhook add column pattern_size integer not null default 0;
update webhook set pattern_size = (
  select coalesce(sum(length(pattern #>> '{}')), 0)
    from (
      select jsonb_path_query(filters, '$.*.text') as pattern
      union
      select jsonb_path_query(filters, '$.*.embeds')
    ) as patterns
) where filters::text like '%"text"%' or filters::text like '%"embeds"%';
create index webhook_pattern on webhook (id) include (pattern_size) where pattern_size > 0 and deleted_at is null;
