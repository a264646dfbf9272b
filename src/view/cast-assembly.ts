import type { Account } from '../hydrate/account.js';
import type { Assembly } from '../hydrate/assembly.js';
import type { CastContent } from '../hydrate/cast.js';
import type { Entities } from '../hydrate/entities.js';
import type { Hydration } from '../hydrate/hydrate.js';
import { renderCastAlone } from './cast-alone.js';
import { castAppFid, knownMentions, shownEmbed, viewCastId } from './cast-content.js';
import { renderCastEmbedded } from './cast-embedded.js';
import { writeChannel } from './channel.js';
import type { JsonWriter } from './json-writer.js';
import { writeUserAlone } from './user.js';
import { renderUserDehydrated } from './user-dehydrated.js';

const APP = Buffer.from(',"app":');
const NO_APP = Buffer.from(',"app":null');
const MENTIONED = Buffer.from(',"mentioned_profiles":[');
const NONE_MENTIONED = Buffer.from(',"mentioned_profiles":[]');
const EMBEDS = Buffer.from(',"embeds":[');
const EMBED_CAST = Buffer.from('{"cast":');
const CHANNEL = Buffer.from(',"channel":');
const NO_CHANNEL = Buffer.from(',"channel":null');
const END_OF_LIST = Buffer.from(']');
const COMMA = Buffer.from(',');

type WriteUser = (account: Account) => void;

const writeApp = (json: JsonWriter, fid: number | undefined, page: Entities): void => {
  if (fid === undefined) {
    json.bytes(NO_APP);
    return;
  }
  json.bytes(APP);
  json.bytes(renderUserDehydrated(fid, page.accounts.get(fid)));
};

const writeMentions = (json: JsonWriter, content: CastContent, page: Entities, writeUser: WriteUser): void => {
  if (content.row.mentions.length === 0) {
    json.bytes(NONE_MENTIONED);
    return;
  }
  json.bytes(MENTIONED);
  knownMentions(content, page).forEach(({ fid }, index) => {
    if (index > 0) json.bytes(COMMA);
    writeUser(page.accounts.get(fid) as Account);
  });
  json.bytes(END_OF_LIST);
};

/** Embedded casts that are not stored or not to be shown are left out. */
const writeEmbeds = (json: JsonWriter, { row, embeddedHashes }: CastContent, page: Entities): void => {
  if (embeddedHashes.length === 0) return;
  json.bytes(EMBEDS);
  let some = false;
  for (const embed of row.embeds) {
    const cast = 'hash' in embed ? shownEmbed(embed.hash, page) : undefined;
    if ('hash' in embed && cast === undefined) continue;
    if (some) json.bytes(COMMA);
    some = true;
    if (cast === undefined) json.text(JSON.stringify(embed));
    else {
      json.bytes(EMBED_CAST);
      json.bytes(renderCastEmbedded(cast.content, page));
      json.text(`,"cast_id":${JSON.stringify(viewCastId(cast.content))}}`);
    }
  }
  json.bytes(END_OF_LIST);
};

const writeChannelOf = (json: JsonWriter, { channelUrl }: CastContent, page: Entities, writeLead: WriteUser): void => {
  const channel = channelUrl === null ? undefined : page.channelsByUrl.get(channelUrl);
  if (channel === undefined) {
    json.bytes(NO_CHANNEL);
    return;
  }
  json.bytes(CHANNEL);
  const { lead_fid: lead } = channel.row;
  writeChannel(json, channel, lead === null ? undefined : page.accounts.get(lead), writeLead);
};

/**
 * Puts a cast together from the fragments of the cast, its users, its channel and the casts it embeds, and keeps it for
 * other pages where that is right and worth it.
 * @param json a writer that others go on with; it stands afterwards where it stood before
 * @returns undefined when the author is not stored
 */
export const assembleCast = (json: JsonWriter, content: CastContent, page: Hydration): Assembly | undefined => {
  // A whole cast takes as much memory again as the cast itself: only one that is shown for a second time is kept.
  const trace = content.cast === undefined ? undefined : page.trace();
  trace?.begin();
  const entities = trace?.entities ?? page;
  const author = entities.accounts.get(content.row.fid);
  if (author === undefined) return undefined;
  const start = json.length;
  const users: { fid: number; at: number }[] = [];
  let until = Number.POSITIVE_INFINITY;
  const writeUser: WriteUser = (account) => {
    until = Math.min(until, writeUserAlone(json, account, entities));
    users.push({ fid: account.profile.row.fid, at: json.length - start - 1 });
  };
  json.bytes(renderCastAlone(content, entities));
  writeUser(author);
  const appFid = castAppFid(content, entities);
  writeApp(json, appFid, entities);
  writeMentions(json, content, entities, writeUser);
  writeEmbeds(json, content, entities);
  writeChannelOf(json, content, entities, writeUser);
  const assembly = { bytes: json.copy(start), users, appFid, until };
  json.back(assembly.bytes.length);
  page.whole.set(content, assembly);
  trace?.finish(content, assembly);
  return assembly;
};
