import { bareHex } from '../../hex.js';
import type { Refusal } from '../../protocol/channel/authority.js';
import { type ChannelMessage, type ChannelRegistration, decodeChannelMessage } from '../../protocol/channel/decode.js';
import { Rejection } from '../../protocol/verification-result.js';
import { WireError } from '../../protocol/wire/wire.js';
import type { ChannelMessageRow, StoredChannelMessage } from '../../store/channel/protocol-message.js';
import type { OwnerClaims } from './owner-claims.js';
import type { ChannelStep } from './step.js';
import { registeredRow, TrackedChannel } from './tracked-channel.js';

/** A stored message with its decoded body. */
export interface ReadMessage {
  readonly stored: StoredChannelMessage;
  readonly body: ChannelMessage;
}

/** Why a message changes nothing: the rules of authority, no registered channel, or an invalid body. */
type Outcome = Refusal | 'unregistered' | 'invalid';

/** @returns undefined for a body that hubs refuse, which an earlier version stored without decoding it */
export const readMessage = (stored: StoredChannelMessage): ReadMessage | undefined => {
  try {
    return { stored, body: decodeChannelMessage(stored.data) };
  } catch (error) {
    if (error instanceof WireError || error instanceof Rejection) return undefined;
    throw error;
  }
};

const NO_CHANNEL = new Uint8Array(0);

/** The channels that a batch concerns, and the log of what its messages did to them. */
export class ChannelWork {
  readonly #claims: OwnerClaims;
  readonly #messages: ReadonlyMap<StoredChannelMessage, ReadMessage | undefined>;
  readonly #channels = new Map<string, TrackedChannel>();
  readonly #unregistered = new Map<string, ReadMessage[]>();
  readonly #log = new Map<string, ChannelMessageRow>();

  constructor(
    channels: readonly TrackedChannel[],
    claims: OwnerClaims,
    messages: ReadonlyMap<StoredChannelMessage, ReadMessage | undefined>,
    unregistered: readonly ReadMessage[],
  ) {
    this.#claims = claims;
    this.#messages = messages;
    for (const channel of channels) this.#channels.set(bareHex(channel.row.id), channel);
    for (const message of unregistered) this.#remember(message);
  }

  /** Applies the steps in order; messages that are not in the map of the constructor were applied before. */
  run(steps: readonly ChannelStep[]): void {
    for (const step of steps) {
      if (step.kind === 'claim') this.#claims.apply(step);
      else if (step.kind === 'registration') this.#register(step.registration);
      else if (this.#messages.has(step.message)) this.#take(step.message);
    }
    for (const channel of this.#channels.values()) this.#settleOwner(channel);
  }

  changedChannels(): TrackedChannel[] {
    return [...this.#channels.values()].filter(({ isChanged }) => isChanged);
  }

  /** @returns the messages in their order, each once */
  log(): ChannelMessageRow[] {
    return [...this.#log.values()];
  }

  #take(stored: StoredChannelMessage): void {
    const message = this.#messages.get(stored);
    if (message === undefined) this.#write(stored, NO_CHANNEL, 'invalid');
    else this.#apply(message);
  }

  #apply(message: ReadMessage): void {
    const { stored, body } = message;
    const channel = this.#channels.get(bareHex(body.channelId));
    if (channel === undefined) {
      this.#remember(message);
      this.#write(stored, body.channelId, 'unregistered');
      return;
    }
    this.#settleOwner(channel);
    this.#write(stored, body.channelId, channel.apply(stored.fid, stored.ts, body));
  }

  /** A new channel begins with the messages that came before its registration, which this server may have missed. */
  #register(registration: ChannelRegistration): void {
    const id = bareHex(registration.id);
    const known = this.#channels.get(id);
    if (known !== undefined) {
      known.register(registration);
      return;
    }
    // A transfer of a channel that is not known does not say its key.
    if (registration.key === null) return;
    this.#channels.set(id, new TrackedChannel(registeredRow(registration.key, registration), true));
    for (const message of this.#unregistered.get(id) ?? []) this.#apply(message);
  }

  #settleOwner(channel: TrackedChannel): void {
    channel.setOwner(this.#claims.ownerOf(channel.row.ownerAddress));
  }

  #remember(message: ReadMessage): void {
    const key = bareHex(message.body.channelId);
    const messages = this.#unregistered.get(key);
    if (messages === undefined) this.#unregistered.set(key, [message]);
    else messages.push(message);
  }

  #write({ fid, hash, type }: StoredChannelMessage, channelId: Uint8Array, refusal: Outcome | undefined): void {
    this.#log.set(bareHex(hash), { channelId, fid, hash, type, refusal: refusal ?? null });
  }
}
