import type { Database } from '../../db/database.js';
import { type Sql, sql } from '../../db/statement.js';
import { MessageSet } from '../../protocol/conflict.js';
import { blockStart } from '../../protocol/event/place.js';
import { MAX_DATA_BYTES } from '../../protocol/limit.js';
import { storageLimit } from '../../protocol/storage-limit.js';
import { AUTH_KEYS, IS_AUTH_KEY, VERIFICATIONS } from '../protocol/account-address.js';
import { APP_OF_REMOVAL } from '../protocol/key-nonce.js';
import { selectQuery } from '../query-function.js';
import { BILLING_CHECKS } from './billing.js';
import { channelChecks } from './channel.js';
import { listChecks } from './list.js';
import { threadChecks } from './thread.js';

/** A derived value that differs from the one computed from the stored messages. */
export interface Difference {
  /** The derived table or column. */
  readonly what: string;
  /** The key of the row, as text. */
  readonly where: string;
  readonly stored: string | null;
  readonly expected: string | null;
}

/** Maximum of rows that a check returns, in case everything is wrong. */
const SHOWN = 100;

const named = (fid: string, hash: string): string => `${fid}::text || ' 0x' || encode(${hash}, 'hex')`;

/**
 * Each check is a select of (place, stored, expected), a full join of two selects with the same columns: `stored` from
 * the derived table, `expected` computed from its sources.
 */
const compare = (stored: string, expected: string): string =>
  `select coalesce(s.place, e.place) as "where", s.value as stored, e.value as expected
     from (${stored}) s full join (${expected}) e on e.place = s.place
    where s.value is distinct from e.value limit ${SHOWN}`;

/** The smallest limit of an account with storage: that of one unit rented since July 2025. */
const SMALLEST_LIMIT = storageLimit(MessageSet.verification, { 0: 0, 1: 0, 2: 1 });

const URL_DIGEST = "substring(sha256(convert_to(c.parent_url, 'UTF8')) from 1 for 20)";

const countRow = (alias: string): string =>
  `concat_ws('/', ${['like_count', 'recast_count', 'reply_count', 'quote_count'].map((name) => `${alias}.${name}`).join(', ')})`;

const CHECKS: Readonly<Record<string, string>> = {
  cast: compare(
    `select ${named('fid', 'hash')} as place, ts::text as value from "cast"`,
    `select ${named('fid', 'hash')} as place, ts::text as value from message where type = 1`,
  ),
  cast_reply: compare(
    `select ${named('fid', 'hash')} as place,
            concat_ws(' ', ts, ${named('parent_fid', 'parent_hash')}, root_parent_url, notified_fid) as value from cast_reply`,
    `select ${named('c.fid', 'c.hash')} as place, concat_ws(' ', c.ts,
       ${named('coalesce(c.parent_fid, 0)', `coalesce(c.parent_hash, ${URL_DIGEST})`)}, c.root_parent_url,
       nullif(c.parent_fid, c.fid)) as value
       from "cast" c where c.parent_hash is not null or c.parent_url is not null`,
  ),
  cast_mention: compare(
    `select ${named('fid', 'hash')} || ' ' || mentioned_fid as place, concat_ws(' ', ts, root_parent_url, notified_fid) as value
       from cast_mention`,
    `select distinct ${named('c.fid', 'c.hash')} || ' ' || m as place, concat_ws(' ', c.ts, c.root_parent_url,
            case when m not in (c.fid, coalesce(c.parent_fid, 0)) and not c.embeds @> jsonb_build_array(jsonb_build_object('fid', m)) then m end) as value
       from "cast" c, unnest(c.mentions) m`,
  ),
  cast_quote: compare(
    `select ${named('fid', 'hash')} || ' ' || ${named('quoted_fid', 'quoted_hash')} as place,
            concat_ws(' ', ts, root_parent_url, notified_fid) as value from cast_quote`,
    `select distinct ${named('c.fid', 'c.hash')} || ' ' || (e ->> 'fid') || ' 0x' || (e ->> 'hash') as place,
            concat_ws(' ', c.ts, c.root_parent_url,
              case when (e ->> 'fid')::bigint not in (c.fid, coalesce(c.parent_fid, 0)) then e ->> 'fid' end) as value
       from "cast" c, jsonb_array_elements(c.embeds) e where e ? 'hash'`,
  ),
  ...threadChecks(compare),
  reaction: compare(
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, type, ${named('target_fid', 'target_hash')}) as value from reaction`,
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, subtype, ${named('target_fid', 'target_hash')}) as value
       from message where type = 3 and subtype in (1, 2)`,
  ),
  reaction_group: compare(
    `select ${named('target_fid', 'target_hash')} || ' ' || type as place, concat_ws(' ', latest_ts, root_parent_url) as value
       from reaction_group`,
    `select ${named('r.target_fid', 'r.target_hash')} || ' ' || r.type as place,
            concat_ws(' ', max(r.ts), max(c.root_parent_url)) as value
       from reaction r left join "cast" c on c.fid = r.target_fid and c.hash = r.target_hash
      where r.target_fid <> 0 group by r.target_fid, r.target_hash, r.type`,
  ),
  link: compare(
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, type, target_fid) as value from link`,
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, subtype, target_fid) as value
       from message where type = 5 and not void`,
  ),
  block: compare(
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, blocked_fid) as value from block`,
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, target_fid) as value
       from message where type = 5 and subtype = 2 and not void`,
  ),
  verification: compare(
    `select ${named('fid', 'address')} as place, concat_ws(' ', ts, protocol, encode(hash, 'hex')) as value from verification`,
    `select ${named('fid', 'key')} as place, concat_ws(' ', ts, subtype, encode(hash, 'hex')) as value
       from message where type = 7`,
  ),
  address_owner: compare(
    `select ${named('fid', 'address')} || ' ' || role as place, '' as value from address_owner`,
    `select ${named('fid', 'address')} || ' 1' as place, '' as value from verification
      union all
     select ${named('fid', 'custody_address')} || ' 0', '' from account where custody_address is not null`,
  ),
  cast_count: compare(
    `select ${named('fid', 'hash')} as place, ${countRow('c')} as value from cast_count c
      where (like_count, recast_count, reply_count, quote_count) <> (0, 0, 0, 0)`,
    `select ${named('n.fid', 'n.hash')} as place, ${countRow('n')} as value
       from (select fid, hash, sum(like_count) like_count, sum(recast_count) recast_count,
                    sum(reply_count) reply_count, sum(quote_count) quote_count
               from (select target_fid fid, target_hash hash, (type = 1)::int like_count, (type = 2)::int recast_count,
                            0 reply_count, 0 quote_count from reaction where target_fid <> 0
                     union all select parent_fid, parent_hash, 0, 0, 1, 0 from cast_reply where parent_fid <> 0
                     union all select quoted_fid, quoted_hash, 0, 0, 0, 1 from cast_quote) parts
              group by fid, hash) n`,
  ),
  'account.count': compare(
    `select fid::text as place, concat_ws('/', follower_count, following_count, cast_count) as value from account
      where (follower_count, following_count, cast_count) <> (0, 0, 0)`,
    `select fid::text as place, concat_ws('/', sum(follower), sum(followed), sum(cast_)) as value
       from (select target_fid fid, 1 follower, 0 followed, 0 cast_ from link where type = 1
             union all select fid, 0, 1, 0 from link where type = 1
             union all select fid, 0, 0, 1 from "cast") parts
      group by fid`,
  ),
  // Places without accounts are allowed, so only missing ones are reported.
  place: `select a.fid::text as "where", null as stored, concat_ws(',', a.latitude, a.longitude) as expected
     from account a left join place p on p.latitude = a.latitude and p.longitude = a.longitude
    where a.latitude is not null and a.longitude is not null and p.latitude is null limit ${SHOWN}`,
  'account.username': compare(
    'select fid::text as place, username as value from account where claimed_username is not null or username is not null',
    `select a.fid::text as place, case when p.fid is null or p.fid = a.fid then a.claimed_username end as value
       from account a left join username_proof p on p.name = a.claimed_username
      where a.claimed_username is not null`,
  ),
  // One whose verification was pruned stays. That needs as many verifications as a unit has room for.
  'account.primary_address': `select a.fid || ' ' || p.protocol as "where", encode(p.address, 'hex') as stored, null as expected
     from account a cross join lateral (values (0, a.primary_eth_address), (1, a.primary_sol_address)) p (protocol, address)
    where p.address is not null and not exists (
      select from verification v where v.fid = a.fid and v.protocol = p.protocol and v.address = p.address)
      and (select count(*) from message m where m.fid = a.fid and m.message_set = ${MessageSet.verification})
          < ${SMALLEST_LIMIT} limit ${SHOWN}`,
  'account.claimed_username': `select a.fid::text as "where", a.claimed_username as stored, null as expected
     from account a join username_proof p on p.name = a.claimed_username
    where p.fid <> a.fid and p.message_hash is null limit ${SHOWN}`,
  // A name has one proof, so a message whose proof is not stored was replaced by a later one.
  username_proof: compare(
    "select encode(message_hash, 'hex') as place, name as value from username_proof where message_hash is not null",
    `select encode(hash, 'hex') as place, convert_from(key, 'UTF8') as value from message
      where message_set = ${MessageSet.usernameProof}`,
  ),
  'account.verifications': compare(
    'select fid::text as place, verifications as value from account where verifications is not null',
    `select v.fid::text as place, ${VERIFICATIONS} as value from verification v group by v.fid`,
  ),
  'account.auth_keys': compare(
    'select fid::text as place, auth_keys as value from account where auth_keys is not null',
    `select k.fid::text as place, ${AUTH_KEYS} as value from signer_key k where ${IS_AUTH_KEY} group by k.fid`,
  ),
  key_nonce: compare(
    `select ${named('n.fid', 'n.hash')} as place, concat_ws(' ', n.ts, n.type, encode(n.key, 'hex')) as value
       from key_nonce n join message m on m.fid = n.fid and m.message_set = ${MessageSet.key} and m.key = n.key and m.hash = n.hash`,
    `select ${named('fid', 'hash')} as place, concat_ws(' ', ts, type, encode(key, 'hex')) as value
       from message where message_set = ${MessageSet.key}`,
  ),
  'key_nonce.request_fid': compare(
    `select ${named('fid', 'hash')} as place, request_fid::text as value from key_nonce where not by_custody`,
    `select ${named('r.fid', 'r.hash')} as place, ${APP_OF_REMOVAL}::text as value from key_nonce r where not r.by_custody`,
  ),
  // Messages that others replaced are gone, so a later use is allowed.
  'signer_key.last_used_ts': `select k.fid::text || ' 0x' || encode(k.key, 'hex') as "where", k.last_used_ts::text as stored,
            u.ts::text as expected
     from signer_key k join lateral (
       select max(m.ts) as ts from message m
        where m.fid = k.fid and m.signer = k.key and m.message_set <> ${MessageSet.key}) u on true
    where k.ttl is not null and coalesce(k.last_used_ts, 0) < u.ts limit ${SHOWN}`,
  // Unknown kinds of messages, and those about channels, come only from a hub, and hubs have a maximum size.
  'message.kind': `select ${named('fid', 'hash')} as "where", null as expected,
            'type ' || type || ', ' || octet_length(data) || ' bytes' as stored
     from message where message_set = ${MessageSet.unknown}
      and (octet_length(data) > ${MAX_DATA_BYTES} or not exists (select from hub_position)) limit ${SHOWN}`,
  // A hub that had not reached the newest stored block lacked messages that it was going to have. A later sync with another hub
  // brought back what that one had.
  hub_removal: `select r.fid || ' ' || r.hub as "where", r.message_count || ' messages removed' as stored,
            'none: the hub was at block ' || h.value || ' of ' || coalesce((s.event / ${blockStart(1)})::text, 'unknown') as expected
     from hub_removal r cross join lateral jsonb_each_text(r.hub_heights) h
          cross join lateral (select (r.stored_events ->> h.key)::bigint as event) s
    where h.value::bigint < coalesce(s.event / ${blockStart(1)}, ${Number.MAX_SAFE_INTEGER})
      and not exists (select from hub_fid f where f.fid = r.fid and f.hub <> r.hub and f.synced_at > r.removed_at)
    limit ${SHOWN}`,
  ...listChecks(compare),
  ...channelChecks(compare),
  ...BILLING_CHECKS,
};

/** Names of the checks, for a progress bar. */
export const AUDIT_CHECKS: readonly string[] = Object.keys(CHECKS);

const checks = new Map(
  Object.entries(CHECKS).map(([check, text]) => [check, sql<Omit<Difference, 'what'>>(`audit ${check}`, text)]),
);

/**
 * Recomputes one derived table or column in the database.
 * @param check a name of {@link AUDIT_CHECKS}
 * @returns at most 100 differences
 */
export const selectDifferences = async (db: Database, check: string): Promise<Difference[]> => {
  const rows = await db.transaction((session) => session.run(checks.get(check) as Sql<Omit<Difference, 'what'>>));
  return rows.map((row) => ({ what: check, ...row }));
};

/** @returns up to `limit` fids above `after` that have an account row, in order. */
export const selectAccountFids = selectQuery(
  'select_account_fids',
  'select fid from account where fid > :after order by fid limit :limit',
).column('fid', (after: number, limit: number) => ({ after, limit }));
