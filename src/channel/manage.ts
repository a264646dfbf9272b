import type { Session } from '../db/statement.js';
import { invalidField, notFound } from '../error.js';
import { INVALIDATE_ALL, insertChange } from '../store/change.js';
import { selectDescription } from '../store/channel/describe.js';
import { selectModeratorCount, upsertMember } from '../store/channel/member.js';
import { deleteSpelling, insertSpellings, pagesOf, selectHolder } from '../store/channel/spelling.js';
import { type ChannelDescription, describeChannel, upsertChannels } from '../store/channel/write.js';
import { MAX_MODERATORS } from './invite.js';

/** What an operator decides about a channel of this server. */
export type ChannelSettings = Partial<
  Pick<
    ChannelDescription,
    'name' | 'description' | 'imageUrl' | 'headerImageUrl' | 'externalLinkUrl' | 'externalLinkTitle' | 'url' | 'leadFid'
  >
>;

const NEW_ID = /^[a-z0-9]{1,16}$/;

/** @throws AppError invalid when another channel has this URL */
const requireFreeUrl = async (session: Session, id: string, url: string): Promise<void> => {
  const holder = await selectHolder(session, url);
  if (holder !== undefined && holder !== id)
    throw invalidField('parent_url', `${url} is a URL of the channel ${holder}.`);
};

/**
 * Stores a new channel of this server.
 * @param now when it is made
 * @throws AppError invalid for an id or a URL that it cannot have
 */
export const createChannel = async (
  session: Session,
  channel: ChannelSettings & { readonly id: string; readonly parentUrl?: string; readonly name: string },
  now: Date,
): Promise<void> => {
  // Today's page of a channel is its parent URL unless another one is given.
  const { id, parentUrl = pagesOf(id)[0] as string } = channel;
  if (!NEW_ID.test(id)) {
    throw invalidField(
      'id',
      `"${id}" cannot be the id of a new channel: it takes 1 to 16 lower-case letters and digits.`,
    );
  }
  if ((await selectDescription(session, id)) !== undefined) {
    throw invalidField('id', `The channel ${id} exists: \`castellan channel set ${id}\` changes it.`);
  }
  await requireFreeUrl(session, id, parentUrl);
  await upsertChannels(session, [
    describeChannel({ ...channel, parentUrl, source: 'local', createdAt: now, updatedAt: now }),
  ]);
  await insertChange(session, INVALIDATE_ALL);
};

const DECIDED_BY = {
  file: 'an imported list',
  client: 'the client that is mirrored (CASTELLAN_CHANNEL_SOURCE)',
  protocol: 'messages of the network',
} as const;

/** @throws AppError not_found */
const requireStored = async (session: Session, id: string): Promise<ChannelDescription> => {
  const channel = await selectDescription(session, id);
  if (channel !== undefined) return channel;
  throw notFound(`There is no channel ${id}: \`castellan channel list\` shows them.`, 'id');
};

/** @throws AppError not_found, or invalid for a channel about which this server does not decide */
const requireOwnChannel = async (session: Session, id: string): Promise<ChannelDescription> => {
  const channel = await requireStored(session, id);
  if (channel.source === 'local') return channel;
  throw invalidField('id', `The channel ${id} cannot be changed here: ${DECIDED_BY[channel.source]} decides about it.`);
};

/** Changes the given settings. @throws AppError as for {@link changeLead} */
export const changeChannel = async (
  session: Session,
  id: string,
  settings: ChannelSettings,
  now: Date,
): Promise<void> => {
  const channel = await requireOwnChannel(session, id);
  const isText = settings.description !== undefined;
  await upsertChannels(session, [
    {
      ...channel,
      // Mentions belong to the text that they were made for.
      ...(isText && { descriptionMentions: [], descriptionMentionPositions: [] }),
      ...settings,
      updatedAt: now,
    },
  ]);
  await insertChange(session, INVALIDATE_ALL);
};

/**
 * Makes another account the lead. The former one stays: as a moderator if there is room for one, else as a member.
 * @throws AppError not_found for an unknown channel, invalid for one about which this server does not decide
 */
export const changeLead = async (session: Session, id: string, leadFid: number, now: Date): Promise<void> => {
  const channel = await requireOwnChannel(session, id);
  const former = channel.leadFid;
  if (former === leadFid) return;
  await upsertChannels(session, [{ ...channel, leadFid, updatedAt: now }]);
  if (former !== null) {
    const role = (await selectModeratorCount(session, id, former)) < MAX_MODERATORS ? 'moderator' : 'member';
    await upsertMember(session, { channelId: id, fid: former, role, since: now });
  }
  await insertChange(session, INVALIDATE_ALL);
};

/** Adds a spelling of a channel's URL. @throws AppError not_found, invalid for a URL of another channel */
export const addSpelling = async (session: Session, id: string, url: string): Promise<void> => {
  await requireStored(session, id);
  await requireFreeUrl(session, id, url);
  await insertSpellings(session, [{ channelId: id, url }]);
  await insertChange(session, INVALIDATE_ALL);
};

/** Removes a spelling. @throws AppError not_found, invalid for the URL that answers show and for one it does not have */
export const removeSpelling = async (session: Session, id: string, url: string): Promise<void> => {
  const channel = await requireStored(session, id);
  if (channel.parentUrl === url) throw invalidField('url', `${url} is the parent URL of the channel: answers show it.`);
  if ((await selectHolder(session, url)) !== id) {
    throw invalidField('url', `${url} is no URL of the channel ${id}: \`castellan channel show ${id}\` lists them.`);
  }
  await deleteSpelling(session, id, url);
  await insertChange(session, INVALIDATE_ALL);
};
