import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { invalidField } from '../../error.js';
import type { ChannelMemberRow } from '../../store/channel/write.js';
import { type ChannelDescription, describeChannel } from '../../store/channel/write.js';
import { MAX_INTEGER } from '../../store/integer.js';
import { storable } from '../../store/protocol/text.js';
import { lineOfJsonError } from './json-error-position.js';

export interface DescribedChannel {
  readonly row: ChannelDescription;
  /** Members besides the lead; undefined: the file names none, and the stored ones are kept. */
  readonly members: readonly ChannelMemberRow[] | undefined;
  /** Those who follow the channel; the stored ones are kept. */
  readonly followers: readonly { readonly fid: number; readonly followedAt: Date }[];
}

/** Number of problems shown. */
const SHOWN = 10;

const Fid = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });
const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Count = Type.Integer({ minimum: 0, maximum: MAX_INTEGER });
const Hash = Type.String({ pattern: '^(0x)?[0-9a-fA-F]{40}$' });
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
/** ISO 8601, or Unix seconds. */
const Time = Type.Union([
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)$' }),
  Type.Number({ minimum: 0, maximum: 253_402_300_799 }),
]);
const Positions = Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: MAX_INTEGER })));

/** The format of Castellan. */
const OwnChannel = Type.Object({
  id: Id,
  parent_url: Url,
  url: orNull(Url),
  name: Type.String({ minLength: 1, maxLength: 256 }),
  description: orNull(Type.String({ maxLength: 10_000 })),
  description_mentions: Type.Optional(Type.Array(Fid)),
  description_mention_positions: Positions,
  image_url: orNull(Url),
  header_image_url: orNull(Url),
  external_link: orNull(Type.Object({ url: Url, title: orNull(Type.String({ maxLength: 256 })) })),
  lead_fid: orNull(Fid),
  pinned_cast_hash: orNull(Hash),
  public_casting: orNull(Type.Boolean()),
  created_at: Time,
  members: Type.Optional(
    Type.Array(
      Type.Object({
        fid: Fid,
        role: Type.Enum(['member', 'moderator', 'owner'], { type: 'string' }),
        since: Type.Optional(Time),
      }),
    ),
  ),
  followers: Type.Optional(Type.Array(Type.Object({ fid: Fid, followed_at: Time }))),
});

/** The format of public channel lists; other members of the objects are ignored. */
export const PublicChannel = Type.Object({
  id: Id,
  url: Url,
  name: Type.String({ minLength: 1, maxLength: 256 }),
  description: orNull(Type.String({ maxLength: 10_000 })),
  descriptionMentions: Type.Optional(Type.Array(Fid)),
  descriptionMentionsPositions: Positions,
  imageUrl: orNull(Type.String({ maxLength: 2048 })),
  headerImageUrl: orNull(Type.String({ maxLength: 2048 })),
  externalLink: orNull(Type.Object({ url: Url, title: orNull(Type.String({ maxLength: 256 })) })),
  leadFid: orNull(Fid),
  moderatorFids: Type.Optional(Type.Array(Fid)),
  followerCount: Type.Optional(Count),
  memberCount: Type.Optional(Count),
  pinnedCastHash: orNull(Hash),
  publicCasting: orNull(Type.Boolean()),
  createdAt: Time,
});
export type PublicChannel = Static<typeof PublicChannel>;

type Time = Static<typeof Time>;

const timeOf = (time: Time): Date => new Date(typeof time === 'number' ? Math.round(time * 1000) : time);
const textOf = (text: string | null | undefined): string | null => (text ? storable(text) : null);
const hashOf = (hash: string | null | undefined): Buffer | null => (hash ? Buffer.from(hash.slice(-40), 'hex') : null);

interface Link {
  readonly url: string;
  readonly title?: string | null;
}

const linkOf = (link: Link | null | undefined) => ({
  externalLinkUrl: textOf(link?.url),
  externalLinkTitle: textOf(link?.title),
});

/** @param now when the file is read */
const fromOwn = (channel: Static<typeof OwnChannel>, now: Date): DescribedChannel => {
  const leadFid = channel.lead_fid ?? channel.members?.find(({ role }) => role === 'owner')?.fid ?? null;
  const createdAt = timeOf(channel.created_at);
  return {
    row: describeChannel({
      id: channel.id,
      source: 'local',
      parentUrl: storable(channel.parent_url),
      url: storable(channel.url ?? channel.parent_url),
      name: storable(channel.name),
      description: textOf(channel.description),
      descriptionMentions: channel.description_mentions ?? [],
      descriptionMentionPositions: channel.description_mention_positions ?? [],
      imageUrl: textOf(channel.image_url),
      headerImageUrl: textOf(channel.header_image_url),
      ...linkOf(channel.external_link),
      leadFid,
      pinnedCastHash: hashOf(channel.pinned_cast_hash),
      publicCasting: channel.public_casting ?? null,
      createdAt,
      updatedAt: now,
    }),
    members: channel.members?.map(({ fid, role, since }) => ({
      channelId: channel.id,
      fid,
      role,
      since: since === undefined ? createdAt : timeOf(since),
    })),
    followers: (channel.followers ?? []).map(({ fid, followed_at }) => ({ fid, followedAt: timeOf(followed_at) })),
  };
};

/**
 * In public lists the lead is the owner, and only moderators are named.
 * @param source what reads the list: a file, or the mirror of a client
 */
export const fromPublic = (channel: PublicChannel, now: Date, source: 'file' | 'client' = 'file'): DescribedChannel => {
  const { id, leadFid, moderatorFids } = channel;
  const since = timeOf(channel.createdAt);
  const moderators = new Set(moderatorFids);
  return {
    row: describeChannel({
      id,
      source,
      parentUrl: storable(channel.url),
      name: storable(channel.name),
      description: textOf(channel.description),
      descriptionMentions: channel.descriptionMentions ?? [],
      descriptionMentionPositions: channel.descriptionMentionsPositions ?? [],
      imageUrl: textOf(channel.imageUrl),
      headerImageUrl: textOf(channel.headerImageUrl),
      ...linkOf(channel.externalLink),
      leadFid: leadFid ?? null,
      pinnedCastHash: hashOf(channel.pinnedCastHash),
      publicCasting: channel.publicCasting ?? null,
      listedFollowerCount: channel.followerCount ?? null,
      listedMemberCount: channel.memberCount ?? null,
      createdAt: since,
      updatedAt: now,
    }),
    members:
      moderatorFids === undefined
        ? undefined
        : Array.from(moderators, (fid) => ({ channelId: id, fid, role: 'moderator' as const, since })),
    followers: [],
  };
};

const fault = (message: string): Error => invalidField('file', message);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fault(`The file is no JSON, see line ${lineOfJsonError(text)}: ${(error as Error).message}.`);
  }
};

interface Listed {
  readonly path: string;
  readonly channels: readonly unknown[];
}

const listOf = (content: unknown): Listed => {
  if (Array.isArray(content)) return { path: '', channels: content };
  const { channels, result } = (content ?? {}) as { channels?: unknown; result?: { channels?: unknown } };
  if (Array.isArray(channels)) return { path: 'channels', channels };
  if (Array.isArray(result?.channels)) return { path: 'result.channels', channels: result.channels };
  throw fault('The file must hold a list of channels, or an object with the list as channels or result.channels.');
};

const isPublic = (channel: unknown): boolean =>
  typeof channel === 'object' && channel !== null && 'createdAt' in channel;

/** @returns the problems of one channel, one for each invalid member */
const problemsOf = (schema: TSchema, path: string, channel: unknown): string[] => {
  const lines = new Map<string, string>();
  for (const { instancePath, keyword, params, message } of Value.Errors(schema, channel)) {
    const lacking = keyword === 'required' ? (params as { requiredProperties: string[] }).requiredProperties : [];
    const member = instancePath
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.');
    const where = member === '' ? path : `${path}.${member}`;
    for (const name of lacking) lines.set(`${where}.${name}`, `${where}.${name} is missing`);
    if (lacking.length === 0 && !lines.has(where)) lines.set(where, `${where} ${message}`);
  }
  return [...lines.values()];
};

/** An id and a parent URL belong to one channel each, and a member has one role. */
const repetitions = (channels: readonly DescribedChannel[], pathOf: (index: number) => string): string[] => {
  const seen = new Map<string, string>();
  const repeated = (what: string, path: string): string[] => {
    const before = seen.get(what);
    seen.set(what, before ?? path);
    return before === undefined ? [] : [`${path} is the same as ${before}`];
  };
  return channels.flatMap(({ row, members }, index) => [
    ...repeated(`id ${row.id}`, `${pathOf(index)}.id`),
    ...repeated(`parent ${row.parentUrl}`, `${pathOf(index)} has a parent URL that`),
    ...(members ?? []).flatMap((member, n) =>
      repeated(`member ${row.id} ${member.fid}`, `${pathOf(index)}.members[${n}].fid`),
    ),
  ]);
};

/**
 * Reads descriptions of channels, which are not protocol messages. There are two formats, distinguished by `createdAt`:
 * - `{"channels": [{"id", "parent_url", "name", "created_at", ...}]}`, as `castellan channel export` writes it; times in
 *   ISO 8601 or Unix seconds (docs/channels.md names all members);
 * - `{"result": {"channels": [{"id", "url", "name", "createdAt", ...}]}}` of public lists, where `url` is the parent URL
 *   of the channel's casts (docs.farcaster.xyz, client API, `/v2/all-channels`).
 * The list may also be the whole file. Unknown members of objects are ignored.
 * @throws AppError invalid, property `file`, which names up to 10 invalid members (`channels[3].lead_fid`)
 */
export const readChannelFile = (text: string, now: Date): DescribedChannel[] => {
  const { path, channels } = listOf(parse(text));
  const pathOf = (index: number): string => `${path}[${index}]`;
  const problems = channels.flatMap((channel, index) =>
    problemsOf(isPublic(channel) ? PublicChannel : OwnChannel, pathOf(index), channel),
  );
  const described =
    problems.length > 0
      ? []
      : channels.map((channel) =>
          isPublic(channel)
            ? fromPublic(channel as PublicChannel, now)
            : fromOwn(channel as Static<typeof OwnChannel>, now),
        );
  problems.push(...repetitions(described, pathOf));
  if (problems.length > 0) {
    const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
    throw fault(`Nothing was imported: ${problems.slice(0, SHOWN).join('; ')}${more}.`);
  }
  return described;
};
