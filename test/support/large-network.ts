import { UserDataType } from '@farcaster/core';
import type { IngestItem } from '../../src/ingest/item.js';
import { type Author, author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { CHANNEL_URL, FIDS, type Seeded } from './seed.js';

/** A seeded network in which every list is longer than the longest page and has items of one kind. */
export interface LargeNetwork {
  readonly members: readonly Author[];
  /** A cast by grace that each member answered, quoted, liked and recast. */
  readonly target: Signed;
  /** One cast by each member, below the channel's URL. */
  readonly casts: readonly Signed[];
}

/** Longer than pages of 100; the lists of one account's casts have pages of 150. */
const MEMBERS = 104;
const FIRST_FID = 1000;

export const EMBED_HOST = 'https://pic.example/';
export const EMBED_PAGE = `${EMBED_HOST}page`;

const introduce = async (who: Author, n: number): Promise<IngestItem[]> => [
  who.register(),
  who.rent(5),
  await who.addSigner(),
  ...(n < 12 ? [await who.fnameProof(`member${n}`)] : []),
  ...[
    who.userData(UserDataType.USERNAME, `member${n}`),
    who.userData(UserDataType.DISPLAY, `Member ${n}`),
    who.userData(UserDataType.LOCATION, 'geo:10.00,10.00'),
  ].map((message) => message.item),
];

/** @param load stores all items at once. Most items refer to grace, whose bio mentions no account. */
export const loadLargeNetwork = async (
  { grace, dan, erin, heidi, clock }: Seeded,
  load: (items: readonly IngestItem[]) => Promise<unknown>,
): Promise<LargeNetwork> => {
  const members = Array.from({ length: MEMBERS }, (_, n) => author({ seed: 'crowd', fid: FIRST_FID + n, clock }));
  const target = grace.cast({ text: 'What do you think of it?', parent: CHANNEL_URL });
  const shown = grace.cast({ text: 'Look at this' });
  const proofs = await Promise.all([1, 2, 3].map((n) => grace.verifyEthereum(grace.wallet(n))));
  const messages: Signed[] = [target, shown, dan.follow(grace.fid), ...proofs];
  const casts: Signed[] = [];
  for (const who of members) {
    messages.push(
      erin.link('block', who.fid),
      who.link('block', heidi.fid),
      grace.follow(who.fid),
      who.cast({ text: 'About a page', parent: EMBED_PAGE, embeds: [`${EMBED_HOST}a/${who.fid}.png`] }),
      who.react('like', EMBED_PAGE),
      who.cast({ text: 'I think so too', parent: target }),
      who.cast({ text: ['Hello ', grace.fid], parent: CHANNEL_URL }),
      who.react('recast', target),
    );
    // The largest item comes last, so that a page of one item contains as much as longer pages.
    const own = grace.cast({ text: ['A cast of hers for ', who.fid], parent: CHANNEL_URL, embeds: [shown] });
    const theirs = who.cast({ text: ['Much to be said, ', grace.fid], parent: CHANNEL_URL, embeds: [target, shown] });
    casts.push(theirs);
    messages.push(
      own,
      theirs,
      grace.react('like', theirs),
      grace.react('recast', theirs),
      grace.cast({ text: ['So it is, ', who.fid], parent: theirs, embeds: [shown] }),
      ...[target, own].map((cast) => who.react('like', cast)),
      who.follow(grace.fid),
    );
  }
  const people: IngestItem[] = [];
  for (const [n, who] of members.entries()) people.push(...(await introduce(who, n)));
  await load([...people, ...messages.map((message) => message.item)]);
  return { members, target, casts };
};

/** Rows that no list shows, so that the tables are large enough for the planner's choice to matter. */
const OTHERS = 10_000;

/** Fills the tables that grow with the network. @param script runs SQL */
export const fillTables = (script: (text: string) => Promise<unknown>): Promise<unknown> => {
  const hash = (salt: number, of = 'n') => `decode(lpad(to_hex(${of} + ${salt}), 40, '0'), 'hex')`;
  const from = `from generate_series(1000001, ${1_000_000 + OTHERS}) n`;
  const app = "('00000000-0000-4000-9000-' || lpad((n % 100)::text, 12, '0'))::uuid";
  return script(`
    insert into account (fid, first_ts, username, display_name, custody_address, x_username)
      select n, 1, 'someone' || n, 'Someone ' || n, ${hash(0)}, 'x' || n ${from};
    insert into address_owner (address, role, fid, ts) select ${hash(0)}, 0, n, 1 ${from};
    insert into address_owner (address, role, fid, ts)
      select decode(lpad(to_hex(n * 8 + k), 38, '0') || 'aa', 'hex'), 1, n, 1 ${from}, generate_series(1, 7) k;
    insert into verification (fid, protocol, address, ts, hash) select n, 0, ${hash(1)}, 1, ${hash(2)} ${from};
    insert into username_proof (name, fid, type, owner, signature, timestamp)
      select 'someone' || n, n, 1, ${hash(3)}, ${hash(3)}, 1 ${from};
    insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at)
      select n, ${hash(4)}, 1, true, 1, 1, now() ${from};
    insert into "cast" (fid, hash, ts, text, root_fid, root_hash, root_parent_url, signer, parent_fid, parent_hash)
      select n, ${hash(5)}, n % 1000, 'word' || n, n, ${hash(5)}, 'https://other.example/' || n, ''::bytea, n + 1, ${hash(6)} ${from};
    insert into url_metadata (url, fetched_at, expires_at, metadata)
    select 'https://other.example/' || n, now(), now(), '{"_status":"RESOLVED"}' ${from};
    insert into cast_url select 'https://other.example/' || n, ${hash(5)}, n % 1000, 'image/png' ${from};
    insert into cast_count (fid, hash) select n, ${hash(5)} ${from};
    insert into cast_reply (parent_fid, parent_hash, ts, hash, fid, root_parent_url, notified_fid)
      select n + 1, ${hash(6)}, n % 1000, ${hash(5)}, n, 'https://other.example/' || n, n + 1 ${from};
    insert into cast_mention (mentioned_fid, ts, hash, fid, root_parent_url, notified_fid)
      select n + 1, n % 1000, ${hash(5)}, n, 'https://other.example/' || n, n + 1 ${from};
    insert into cast_quote (quoted_fid, quoted_hash, ts, hash, fid, root_parent_url, notified_fid)
      select n + 1, ${hash(5)}, n % 1000, ${hash(7)}, n, 'https://other.example/' || n, n + 1 ${from};
    insert into reaction (target_fid, target_hash, type, ts, hash, fid)
      select n, ${hash(5)}, 1, n % 1000, ${hash(8)}, n + 1 ${from};
    insert into reaction_group select n, ${hash(5)}, 1, n % 1000, 'https://other.example/' || n ${from};
    insert into link select n, 1, n % 1000, ${hash(9)}, n + 1 ${from};
    insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, ${hash(10)} ${from};
    insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid, target_hash)
      select n, k.set, ${hash(11)}, k.type, k.subtype, n % 1000, ${hash(12)}, ${hash(4)}, ''::bytea, ''::bytea, n + 1, ${hash(6)}
        ${from}, (values (1, 1, 0), (2, 3, 1), (3, 5, 1), (4, 7, 0), (5, 11, 1)) k(set, type, subtype);
    insert into place (latitude, longitude) select (n::bigint * 7919 % 18000) / 100.0 - 90, (n::bigint * 104729 % 36000) / 100.0 - 180 ${from}
      on conflict do nothing;
    insert into app (id, organization_id, name)
      select ${app}, o.id, 'crowd' from generate_series(0, 99) n, (select id from organization limit 1) o;
    insert into ban (fid, app_id) select n, ${app} ${from};
    insert into mute (fid, app_id, muted_fid) select n, ${app}, n + 1 ${from};
    insert into notification_seen (fid, app_id, type, seen_at) select n, ${app}, 'likes', now() ${from};
    insert into host_notification (app_id, fid, domain, notification_id, id, title, body, target_url, created_at)
      select ${app}, n, 'a.example', '1', gen_random_uuid(), '', '', '', now() ${from};
    insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
      select ${app}, n, 1, '', '', 'enabled', '{}', now(), now() ${from};
    insert into campaign (id, app_id, body_digest, title, body, target_url, status, token_count, disabled_count, client_fids, result, created_at)
      select lpad(n::text, 32, '0')::uuid, ${app}, ''::bytea, '', '', '', 'completed', 1, 0, '{1}', '[]', now() ${from};
    insert into campaign_recipient (campaign_id, fid, client_fid, app_id, state, next_at)
      select lpad(n::text, 32, '0')::uuid, n, 1, ${app}, 'delivered', now() ${from};
    insert into campaign_open_count select lpad(n::text, 32, '0')::uuid, 1, 1, 1 ${from};
    insert into channel (id, url, parent_url, name, description, source, created_at, updated_at)
      select 'other' || n, 'https://other.example/' || n, 'https://other.example/' || n, 'Other', repeat('Described. ', 40), 'local', now(), now() ${from};
    insert into channel_parent_url (url, channel_id) select 'https://other.example/' || n, 'other' || n ${from};
    insert into channel_follow (channel_id, fid, followed_at) select 'other' || n, k, now() ${from}, lateral (values (n), (${FIDS.grace})) f(k)
      on conflict do nothing;
    insert into channel_invite (channel_id, fid, inviter_fid, role, invited_at)
      select 'other' || n, n, n + 1, 'member', now() ${from};
    insert into channel_activity (counted_at, channel_id, cast_count_1d, cast_count_7d, cast_count_30d)
      select '2026-01-01', 'other' || n, n, n, n ${from};
    insert into topic_run (counted_at) select to_timestamp(n) ${from};
    insert into topic (counted_at, place, slug, name, query, top_level_topic, authors)
      select to_timestamp(n), 1, 'other' || n, 'Other', 'other', 'music', array[n] ${from};
    insert into channel_member (channel_id, fid, role, since) select 'other' || n, k, 'member', now() ${from}, lateral (values (n), (${FIDS.grace})) f(k)
      on conflict do nothing;
    insert into onchain_event (fid, type, block_number, log_index, transaction_hash, body)
      select n, 3, 1, 1, ${hash(13)}, ''::bytea ${from};
    analyze`);
};
