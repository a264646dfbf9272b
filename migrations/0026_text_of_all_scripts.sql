-- Text as it is stored and asked for in searches, in one form (NFKC). Scripts that put no spaces between words get one
-- around each character (with its marks), so that every part of a text is a phrase. Korean does have spaces, but words are
-- followed by particles without one. Other texts stay as they are.
-- The bodies of these functions are resolved now, because an index is built without a search path.
create function search_text(content text) returns text immutable parallel safe
return case when octet_length(content) = length(content) then content else regexp_replace(normalize(content, nfkc), '(?x) (
  (?: [\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46]                                                # Thai
    | [\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf]                                   # Lao
    | [\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070]          # Myanmar
    | [\u1075-\u1081\u108e\ua9e0-\ua9e4\ua9e6-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f]
    | [\u1780-\u17b3\u17d7\u17dc]                                                             # Khmer
    | [\u1950-\u19c9\u1a20-\u1a54\u1aa7\uaa80-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0\uaac2\uaadb-\uaadd] # Tai
    | [\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb]                                  # Hangul
    | [\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f]        # Kana
    | [\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001afff\U0001b000-\U0001b16f]
    | [\u3105-\u312f\u31a0-\u31bf]                                                            # Bopomofo
    | [\u3400-\u4dbf\u4e00-\u9fff\ufa0e-\ufa29\U00016fe3\U00016ff2-\U00016ff6\U00020000-\U0003ffff] )   # Han
  [\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u302a-\u302f\u3099\u309a\ua9e5\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1]*
  )', ' \1 ', 'g') end;

create function search_vector(content text) returns tsvector immutable parallel safe
return to_tsvector('simple'::regconfig, search_text(content));

-- Every word of the query is quoted; one that search_text takes apart becomes a phrase.
create function search_query(words text) returns tsquery immutable parallel safe
return to_tsquery('simple'::regconfig, search_text(words));

drop index cast_search;
create index cast_search on "cast" using gin (search_vector(text));

drop index account_name_search;
create index account_name_search on account using gin (username gin_trgm_ops, lower(normalize(display_name, nfkc)) gin_trgm_ops)
  with (gin_pending_list_limit = 64);

-- What finds a name by a text too short for trigrams, or without letters: each character that is not ASCII, and the first
-- two letters or digits of other words.
create function name_key(name text) returns text[] immutable parallel safe
return array(
  select distinct found[1]
    from regexp_matches(lower(normalize(name, nfkc)), '[^\u0001-\u007f]|(?<![a-z0-9])[a-z0-9]{2}', 'g') found
);
create index account_name_key on account using gin (name_key(display_name)) with (gin_pending_list_limit = 64);

alter table channel drop column search_text;
alter table channel add column search_text text not null generated always as (' ' || id || ' ' || lower(search_text(name))) stored;
create index channel_search on channel using gin (search_text gin_trgm_ops);
update catalog_app set search_text = lower(search_text(search_text));
