import type { Database } from '../db/database.js';
import { selectDescriptions, selectFollowsAfter, selectMembersAfter } from '../store/channel/describe.js';
import type { ChannelDescription } from '../store/channel/write.js';

const CHANNELS = 100;
const ROWS = 10_000;

const hex = (hash: Uint8Array | null): string | undefined =>
  hash === null ? undefined : `0x${Buffer.from(hash).toString('hex')}`;

/** Members of the own format without those that are lists (src/ingest/file/channel-file.ts); what is not set is left out. */
const described = (channel: ChannelDescription): object => ({
  id: channel.id,
  parent_url: channel.parentUrl,
  url: channel.url,
  name: channel.name,
  description: channel.description ?? undefined,
  description_mentions: channel.descriptionMentions,
  description_mention_positions: channel.descriptionMentionPositions,
  image_url: channel.imageUrl ?? undefined,
  header_image_url: channel.headerImageUrl ?? undefined,
  external_link:
    channel.externalLinkUrl === null
      ? undefined
      : { url: channel.externalLinkUrl, title: channel.externalLinkTitle ?? undefined },
  lead_fid: channel.leadFid ?? undefined,
  pinned_cast_hash: hex(channel.pinnedCastHash),
  public_casting: channel.publicCasting ?? undefined,
  created_at: channel.createdAt.toISOString(),
});

async function* rowsOf<Row extends { readonly fid: number }>(
  page: (after: number) => Promise<readonly Row[]>,
  view: (row: Row) => object,
): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const rows = await page(after);
    if (rows.length > 0) yield (after === 0 ? '' : ',') + rows.map((row) => JSON.stringify(view(row))).join();
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS) return;
    after = last.fid;
  }
}

async function* channelText(db: Database, channel: ChannelDescription): AsyncGenerator<string> {
  const { id } = channel;
  yield `${JSON.stringify(described(channel)).slice(0, -1)},"members":[`;
  yield* rowsOf(
    (after) => selectMembersAfter(db, id, after, ROWS),
    ({ fid, role, since }) => ({ fid, role, since: since.toISOString() }),
  );
  yield '],"followers":[';
  yield* rowsOf(
    (after) => selectFollowsAfter(db, id, after, ROWS),
    ({ fid, followedAt }) => ({ fid, followed_at: followedAt.toISOString() }),
  );
  yield ']}';
}

/**
 * Writes channels in the format that `castellan channel import` reads, a piece at a time: a channel may have a million
 * followers.
 * @param ids of the channels; undefined: all
 */
export async function* exportChannels(db: Database, ids: readonly string[] | undefined): AsyncGenerator<string> {
  yield '{"channels":[';
  let after = '';
  for (;;) {
    const channels = await selectDescriptions(db, ids ?? null, after, CHANNELS);
    for (const channel of channels) {
      yield after === '' ? '\n' : ',\n';
      yield* channelText(db, channel);
      after = channel.id;
    }
    if (channels.length < CHANNELS) break;
  }
  yield '\n]}\n';
}
