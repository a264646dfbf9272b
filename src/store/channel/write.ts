import type { Session } from '../../db/statement.js';
import { insertRows, writeQuery, writeRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';
import { insertParentUrls, insertSpellings, pagesOf } from './spelling.js';

/** A channel as its source describes it; `parentUrl` is the spelling of its URL that answers show. */
export type ChannelDescription = Omit<
  Camel<Written<Tables['channel']>>,
  'goneAt' | 'followerCount' | 'memberCount' | 'searchText'
>;

type Basics = 'id' | 'parentUrl' | 'name' | 'source' | 'createdAt' | 'updatedAt';

/** @returns a channel of which nothing else is known */
export const describeChannel = (
  known: Pick<ChannelDescription, Basics> & Partial<ChannelDescription>,
): ChannelDescription => ({
  url: known.parentUrl,
  description: null,
  descriptionMentions: [],
  descriptionMentionPositions: [],
  imageUrl: null,
  headerImageUrl: null,
  externalLinkTitle: null,
  externalLinkUrl: null,
  leadFid: null,
  pinnedCastHash: null,
  publicCasting: null,
  listedFollowerCount: null,
  listedMemberCount: null,
  ...known,
});

/** The columns of a description besides `id` and `updated_at`, with their types. */
export const DESCRIBED = {
  parent_url: 'text',
  url: 'text',
  name: 'text',
  description: 'text',
  description_mentions: 'bigint[]',
  description_mention_positions: 'integer[]',
  image_url: 'text',
  header_image_url: 'text',
  external_link_title: 'text',
  external_link_url: 'text',
  lead_fid: 'bigint',
  pinned_cast_hash: 'bytea',
  public_casting: 'boolean',
  listed_follower_count: 'integer',
  listed_member_count: 'integer',
  source: 'text',
  created_at: 'timestamptz',
} as const;

export const DESCRIBED_NAMES = Object.keys(DESCRIBED);

const writeChannels = insertRows(
  'upsert_channels',
  'channel',
  { id: 'text', ...DESCRIBED, updated_at: 'timestamptz' },
  `on conflict (id) do update set
     ${DESCRIBED_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = excluded.updated_at, gone_at = null
   where (${DESCRIBED_NAMES.map((name) => `channel.${name}`).join(', ')}, channel.gone_at is null)
         is distinct from (${DESCRIBED_NAMES.map((name) => `excluded.${name}`).join(', ')}, true)
   returning id, (xmax = 0) as "isNew!"`,
).rows();

/**
 * Stores channels with the spellings of their URLs and with their leads as owners.
 * @returns the ids of the channels that are new or changed
 * @throws unique_violation (SQLSTATE 23505) when another channel has the same parent URL
 */
export const upsertChannels = async (
  session: Session,
  rows: readonly ChannelDescription[],
): Promise<readonly string[]> => {
  const stored = await writeChannels(session, rows);
  const changed = stored.map(({ id }) => id);
  if (changed.length === 0) return changed;
  const ids = new Set(changed);
  const added = new Set(stored.filter(({ isNew }) => isNew).map(({ id }) => id));
  const written = rows.filter(({ id }) => ids.has(id));
  await insertParentUrls(
    session,
    written.map(({ id, parentUrl }) => ({ channelId: id, url: parentUrl })),
  );
  await insertSpellings(
    session,
    written.flatMap(({ id, url }) => {
      // An operator may have removed the pages of a stored channel.
      const spellings = added.has(id) ? [url, ...pagesOf(id)] : [url];
      return spellings.map((spelling) => ({ channelId: id, url: spelling }));
    }),
  );
  await setOwners(session, changed);
  return changed;
};

const deleteFormerOwners = writeQuery(
  'delete_former_channel_owners',
  `delete from channel_member m using channel c
    where c.id = any(:ids::text[]) and m.channel_id = c.id and m.role = 'owner' and m.fid is distinct from c.lead_fid`,
).done();
const insertOwners = writeQuery(
  'insert_channel_owners',
  `insert into channel_member (channel_id, fid, role, since)
   select c.id, c.lead_fid, 'owner', c.created_at from channel c where c.id = any(:ids::text[]) and c.lead_fid is not null
   on conflict (channel_id, fid) do update set role = 'owner' where channel_member.role <> 'owner'`,
).done();

/** Makes the lead of each channel its owner, and nobody else. */
const setOwners = async (session: Session, ids: readonly string[]): Promise<void> => {
  await deleteFormerOwners(session, { ids });
  await insertOwners(session, { ids });
  await settleMembers(session, ids);
};

const countMembers = writeQuery(
  'count_channel_members',
  `update channel c
      set member_count = (select count(*) from channel_member m where m.channel_id = c.id)
    where c.id = any(:ids::text[])`,
).done();

// A member may be invited to moderate; every other invite of one has been fulfilled.
const deleteFulfilledInvites = writeQuery(
  'delete_fulfilled_channel_invites',
  `delete from channel_invite i using channel_member m
    where i.channel_id = any(:ids::text[]) and m.channel_id = i.channel_id and m.fid = i.fid
      and not (m.role = 'member' and i.role = 'moderator')`,
).done();

/** Brings counts and open invites of these channels into line with their members, after a list of them was written. */
export const settleMembers = async (session: Session, ids: readonly string[]): Promise<void> => {
  await countMembers(session, { ids });
  await deleteFulfilledInvites(session, { ids });
};

export type ChannelMemberRow = Camel<Omit<Written<Tables['channel_member']>, 'role_rank'>>;

const upsertMembers = writeRows(
  'upsert_channel_members',
  { channel_id: 'text', fid: 'bigint', role: 'text', since: 'timestamptz' },
  // Owners are those who lead, whatever a list of members says.
  (rows) => `insert into channel_member (channel_id, fid, role, since)
   select r.channel_id, r.fid, case when r.role = 'owner' then 'moderator' else r.role end, r.since
     from (${rows}) r join channel c on c.id = r.channel_id
    where r.fid is distinct from c.lead_fid
   on conflict (channel_id, fid) do update set role = excluded.role
    where channel_member.role <> excluded.role`,
).done();
const deleteOtherMembers = writeQuery(
  'delete_other_channel_members',
  `delete from channel_member m
    where m.channel_id = any(:ids::text[]) and m.role <> 'owner'
      and not exists (
        select from unnest(:channelIds::text[], :fids::bigint[]) as k(channel_id, fid)
         where k.channel_id = m.channel_id and k.fid = m.fid)`,
).done();

/** Makes these rows the members of the channels `ids`, besides their owners; those who stay keep their time. */
export const replaceMembers = async (
  session: Session,
  ids: readonly string[],
  rows: readonly ChannelMemberRow[],
): Promise<void> => {
  if (ids.length === 0) return;
  await deleteOtherMembers(session, {
    ids,
    channelIds: rows.map((row) => row.channelId),
    fids: rows.map((row) => row.fid),
  });
  await upsertMembers(session, rows);
  await settleMembers(session, ids);
};
