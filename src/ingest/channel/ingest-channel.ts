import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { selectProtocolChannels, upsertProtocolChannels } from '../../store/channel/protocol-channel.js';
import {
  insertChannelMessages,
  type StoredChannelMessage,
  selectKnownChannelMessages,
  selectUnregisteredMessages,
} from '../../store/channel/protocol-message.js';
import { selectModerations, selectSlots, upsertModerations, upsertSlots } from '../../store/channel/protocol-slot.js';
import type { BatchChanges } from '../batch-changes.js';
import { OwnerClaims } from './owner-claims.js';
import { showChannel } from './show.js';
import type { ChannelStep } from './step.js';
import { TrackedChannel } from './tracked-channel.js';
import { ChannelWork, type ReadMessage, readMessage } from './work.js';

/** @returns the messages that were not applied before, decoded */
const readNewMessages = async (session: Session, steps: readonly ChannelStep[]) => {
  const stored = steps.flatMap((step) => (step.kind === 'message' ? [step.message] : []));
  const hashes = stored.map(({ hash }) => hash);
  const known = new Set((await selectKnownChannelMessages(session, hashes)).map(bareHex));
  const read = new Map<StoredChannelMessage, ReadMessage | undefined>();
  for (const message of stored) if (!known.has(bareHex(message.hash))) read.set(message, readMessage(message));
  return read;
};

/** Loads the slots and casts that the messages concern. */
const loadEntries = async (
  session: Session,
  channels: readonly TrackedChannel[],
  messages: readonly ReadMessage[],
): Promise<void> => {
  const byId = new Map(channels.map((channel) => [bareHex(channel.row.id), channel]));
  const slots = messages.flatMap(({ stored, body }) => {
    const fids = body.kind === 'member' ? [stored.fid, body.fid] : [stored.fid];
    return fids.map((fid) => ({ channelId: body.channelId, fid }));
  });
  for (const slot of await selectSlots(session, slots)) byId.get(bareHex(slot.channelId))?.loadSlot(slot);
  const casts = messages.flatMap(({ body }) =>
    body.kind === 'moderate' ? [{ channelId: body.channelId, castHash: body.castHash }] : [],
  );
  for (const one of await selectModerations(session, casts)) byId.get(bareHex(one.channelId))?.loadModeration(one);
};

/** @returns everything that the steps concern; undefined if that is nothing */
const load = async (session: Session, steps: readonly ChannelStep[]): Promise<ChannelWork | undefined> => {
  const registrations = steps.flatMap((step) => (step.kind === 'registration' ? [step.registration] : []));
  const claimSteps = steps.filter((step) => step.kind === 'claim');
  const messages = await readNewMessages(session, steps);
  const readable = [...messages.values()].filter((message) => message !== undefined);
  const registered = registrations.map(({ id }) => Buffer.from(id));
  const ids = [...readable.map(({ body }) => body.channelId), ...registered];
  const verified = claimSteps.map(({ address }) => address);
  const rows = await selectProtocolChannels(session, ids, verified);
  if (rows.length + messages.size + registrations.length === 0) return undefined;
  const channels = rows.map((row) => new TrackedChannel(row, false));
  await loadEntries(session, channels, readable);
  const stored = new Set(rows.map(({ id }) => bareHex(id)));
  const created = new Map(registered.filter((id) => !stored.has(bareHex(id))).map((id) => [bareHex(id), id]));
  const early = await selectUnregisteredMessages(session, [...created.values()]);
  const addresses = [
    ...rows.flatMap((row) => row.ownerAddress ?? []),
    ...registrations.flatMap(({ ownerAddress }) => ownerAddress ?? []),
  ];
  const claims = await OwnerClaims.beforeBatch(session, addresses, claimSteps);
  return new ChannelWork(
    channels,
    claims,
    messages,
    early.flatMap((message) => readMessage(message) ?? []),
  );
};

/**
 * Applies what a batch says about the protocol's channels to their stored state, in the order of the steps, and shows
 * the result. Messages and verifications of the batch are stored already. A message that was applied before, or that
 * the rules of authority refuse, changes nothing.
 * @param registrar where the channels' tokens are, `eip155:<chain>/erc721:<address>`; undefined: unknown
 */
export const ingestChannels = async (
  session: Session,
  steps: readonly ChannelStep[],
  registrar: string | undefined,
  changes: BatchChanges,
): Promise<void> => {
  const work = steps.length === 0 ? undefined : await load(session, steps);
  if (work === undefined) return;
  work.run(steps);
  const changed = work.changedChannels();
  const slots = changed.flatMap((channel) => channel.slotChanges().map(({ after }) => after));
  await upsertSlots(session, slots);
  await upsertModerations(
    session,
    changed.flatMap((channel) => channel.moderations()),
  );
  for (const channel of changed) await showChannel(session, channel, registrar, changes);
  await upsertProtocolChannels(
    session,
    changed.map(({ row }) => row),
  );
  await insertChannelMessages(session, work.log());
};
