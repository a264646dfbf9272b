import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { invalidField } from '../../error.js';
import type { ChannelMemberRow } from '../../store/protocol/channel.js';
import { storable } from '../../store/protocol/text.js';
import type { ChannelRow } from '../../store/query/channel.js';
import { lineOfJsonError } from './json-error-position.js';

export interface DescribedChannel {
  readonly row: ChannelRow;
  /** Undefined: the file names no members, and the stored ones are kept. */
  readonly members: readonly ChannelMemberRow[] | undefined;
}

/** Number of problems shown. */
const SHOWN = 10;

const Fid = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });
const Url = Type.String({ minLength: 1, maxLength: 2048 });
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
/** ISO 8601, or Unix seconds. */
const Time = Type.Union([
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)$' }),
  Type.Number({ minimum: 0, maximum: 253_402_300_799 }),
]);

/** The format of Castellan. */
const OwnChannel = Type.Object({
  id: Id,
  parent_url: Url,
  url: orNull(Url),
  name: Type.String({ minLength: 1, maxLength: 256 }),
  description: orNull(Type.String({ maxLength: 10_000 })),
  image_url: orNull(Url),
  lead_fid: orNull(Fid),
  created_at: Time,
  members: Type.Optional(
    Type.Array(Type.Object({ fid: Fid, role: Type.Enum(['member', 'moderator', 'owner'], { type: 'string' }) })),
  ),
});

/** The format of public channel lists; other members of the objects are ignored. */
const PublicChannel = Type.Object({
  id: Id,
  url: Url,
  name: Type.String({ minLength: 1, maxLength: 256 }),
  description: orNull(Type.String({ maxLength: 10_000 })),
  imageUrl: orNull(Type.String({ maxLength: 2048 })),
  leadFid: orNull(Fid),
  moderatorFids: Type.Optional(Type.Array(Fid)),
  createdAt: Time,
});

const timeOf = (time: Static<typeof Time>): Date => new Date(typeof time === 'number' ? Math.round(time * 1000) : time);
const textOf = (text: string | null | undefined): string | null => (text ? storable(text) : null);

const fromOwn = (channel: Static<typeof OwnChannel>): DescribedChannel => ({
  row: {
    id: channel.id,
    parent_url: storable(channel.parent_url),
    url: storable(channel.url ?? channel.parent_url),
    name: storable(channel.name),
    description: textOf(channel.description),
    image_url: textOf(channel.image_url),
    lead_fid: channel.lead_fid ?? null,
    created_at: timeOf(channel.created_at),
  },
  members: channel.members?.map(({ fid, role }) => ({ channel_id: channel.id, fid, role })),
});

/** In public lists the lead is the owner, and only moderators are named. */
const fromPublic = (channel: Static<typeof PublicChannel>): DescribedChannel => {
  const { id, leadFid, moderatorFids } = channel;
  const moderators = new Set(moderatorFids);
  if (leadFid) moderators.delete(leadFid);
  const members: ChannelMemberRow[] = [
    ...(leadFid ? [{ channel_id: id, fid: leadFid, role: 'owner' as const }] : []),
    ...Array.from(moderators, (fid) => ({ channel_id: id, fid, role: 'moderator' as const })),
  ];
  return {
    row: {
      id,
      parent_url: storable(channel.url),
      url: storable(channel.url),
      name: storable(channel.name),
      description: textOf(channel.description),
      image_url: textOf(channel.imageUrl),
      lead_fid: leadFid ?? null,
      created_at: timeOf(channel.createdAt),
    },
    members: moderatorFids === undefined ? undefined : members,
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
    ...repeated(`parent ${row.parent_url}`, `${pathOf(index)} has a parent URL that`),
    ...(members ?? []).flatMap((member, n) =>
      repeated(`member ${row.id} ${member.fid}`, `${pathOf(index)}.members[${n}].fid`),
    ),
  ]);
};

/**
 * Reads descriptions of channels, which are not protocol messages. There are two formats, distinguished by `createdAt`:
 * - `{"channels": [{"id", "parent_url", "name", "created_at", "url"?, "description"?, "image_url"?, "lead_fid"?,
 *   "members"?: [{"fid", "role": "member" | "moderator" | "owner"}]}]}`, times in ISO 8601 or Unix seconds;
 * - `{"result": {"channels": [{"id", "url", "name", "createdAt", "description"?, "imageUrl"?, "leadFid"?,
 *   "moderatorFids"?, ...}]}}` of public lists, where `url` is the parent URL of the channel's casts.
 * The list may also be the whole file. Unknown members of objects are ignored.
 * @throws AppError invalid, property `file`, which names up to 10 invalid members (`channels[3].lead_fid`)
 */
export const readChannelFile = (text: string): DescribedChannel[] => {
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
            ? fromPublic(channel as Static<typeof PublicChannel>)
            : fromOwn(channel as Static<typeof OwnChannel>),
        );
  problems.push(...repetitions(described, pathOf));
  if (problems.length > 0) {
    const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
    throw fault(`Nothing was imported: ${problems.slice(0, SHOWN).join('; ')}${more}.`);
  }
  return described;
};
