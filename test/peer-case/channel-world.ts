import type { IngestItem } from '../../src/ingest/item.js';
import { channelIdOf, channelUrl } from '../../src/protocol/channel/identity.js';
import type { Author } from '../../src/sample/author.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { channelMessage, channelRegistration, wireOf } from '../support/channel-message.js';
import { type Front, list, SEED } from './front.js';
import type { TriedRow } from './peer-case.js';

export const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ACTION = { add: 1, remove: 2, addModerator: 3, removeModerator: 4, ban: 5, unban: 6 } as const;

/** Unix seconds. */
export const LATER = 2_000_000_000;
export const LAPSED = 1_600_000_000;

export const channelId = channelIdOf;

/** Makes channels and what happens in them. */
export class ChannelWorld {
  readonly front: Front;
  #block = 1_000;
  constructor(front: Front) {
    this.front = front;
  }

  registration(owner: Uint8Array, key: string, more: { expiry?: number; type?: number } = {}): IngestItem {
    this.#block += 1;
    return channelRegistration({ key, owner, block: this.#block, ...more });
  }
  /** Registers channels, or transfers them, to an address. */
  async register(
    owner: Uint8Array,
    keys: readonly string[],
    more: { expiry?: number; type?: number } = {},
  ): Promise<void> {
    for (const key of keys) await this.front.store(this.registration(owner, key, more));
  }
  #about(who: Author, key: string, type: number, body: Uint8Array): Signed {
    const place = { seed: SEED, fid: who.fid, at: this.front.clock.tick() };
    return channelMessage(place, type, Buffer.concat([wireOf({ 1: channelIdOf(key) }), body]));
  }
  member(who: Author, key: string, fid: number, action: keyof typeof ACTION): Signed {
    return this.#about(who, key, 19, wireOf({ 2: fid, 3: ACTION[action] }));
  }
  update(who: Author, key: string, fields: Parameters<typeof wireOf>[0]): Signed {
    return this.#about(who, key, 18, wireOf(fields));
  }
  pin(who: Author, key: string, hash?: Uint8Array): Signed {
    return this.#about(who, key, 20, wireOf({ 2: hash }));
  }
  moderate(who: Author, key: string, hash: Uint8Array, action = 1): Signed {
    return this.#about(who, key, 21, wireOf({ 2: hash, 3: action }));
  }
  follow(who: Author, key: string): Signed {
    return who.react('like', channelUrl(REGISTRAR, channelIdOf(key)));
  }
  /** Stores messages of which some may be refused, as a block may have them. */
  async send(...messages: readonly Signed[]): Promise<void> {
    for (const { item } of messages)
      await this.front.network.app.core.ingest.submit([item], { source: 'hub', announce: true });
  }
  /** @returns an account that owns a channel which is described and has no members */
  async owner(key: string): Promise<Author> {
    const owner = await this.front.account('owner', 5);
    await this.register(owner.wallet(1).address, [key]);
    await this.front.store(await owner.verifyEthereum(owner.wallet(1)));
    return owner;
  }
}

export const NO_CHANNEL_CALLS =
  "The definition of the protocol's package (`@farcaster/hub-nodejs` 0.17.0), which the gRPC interface has, knows no channels. They are read over HTTP.";

type Request<State> = NonNullable<TriedRow<State>['request']>;
type Show<State> = NonNullable<TriedRow<State>['show']>;

/**
 * @param ours our answer over HTTP where it differs, with the reason
 * @returns a case that the peer tries over gRPC
 */
export const channelRow = <State>(
  title: string,
  [call, theirs]: readonly [call: string, theirs: string],
  request: Request<State>,
  show: Show<State>,
  { http, reason, next }: { http?: string; reason?: string; next?: TriedRow<State>['next'] } = {},
): TriedRow<State> => ({
  ...{ title, call, theirs, ours: 'UNIMPLEMENTED', request, show, ...(next && { next }) },
  other: http ?? theirs.replace(/^NOT_FOUND/, '404').replace(/^INVALID_ARGUMENT/, '400'),
  reason: reason === undefined ? NO_CHANNEL_CALLS : `${NO_CHANNEL_CALLS} ${reason}`,
});

interface Channel {
  readonly fid: number;
  readonly channelKey: string;
  readonly expiry: number;
}

/** How answers about channels are written. */
export const showKeys = ({ channels }: { channels: readonly Channel[] }): string =>
  list(channels.map(({ channelKey }) => channelKey));
export const showOwner = ({ fid, expiry }: Channel, { front }: { front: Front }): string =>
  `${fid === 0 ? 'nobody' : front.labels.fid(fid)}${expiry === LATER ? '' : ', lapsed'}`;
export const showOwners = ({ channels }: { channels: readonly Channel[] }, { front }: { front: Front }): string =>
  list(channels.map(({ fid, channelKey }) => `${channelKey} of ${fid === 0 ? 'nobody' : front.labels.fid(fid)}`));
const stateName = (state: string): string => state.replace('CHANNEL_MEMBER_STATE_', '');
export const showMember = ({ state }: { state: string }): string => stateName(state);
export const showMembers = (
  { members }: { members: readonly { fid: number; state: string }[] },
  { front }: { front: Front },
): string => list(members.map(({ fid, state }) => `${front.labels.fid(fid)} ${stateName(state)}`));
export const showMemberships = ({ memberships }: { memberships: readonly { state: string }[] }): string =>
  list(memberships.map(({ state }) => stateName(state)));
export const showPin = (
  { pin }: { pin: { castHash: string; authorFid: number } | null },
  { front }: { front: Front },
) => (pin === null ? 'none' : `${pin.castHash.slice(0, 4)} by ${front.labels.fid(pin.authorFid)}`);
export const showModerations = (
  { moderations }: { moderations: readonly { castHash: string; action: string; authorFid: number }[] },
  { front }: { front: Front },
): string =>
  list(
    moderations.map(
      ({ castHash, action, authorFid }) =>
        `${castHash.slice(0, 4)} ${action.replace('CHANNEL_MODERATE_ACTION_', '')} by ${front.labels.fid(authorFid)}`,
    ),
  );
export const showMetadata = (body: { name: string | null; castingMode: string; membershipMode: string }): string =>
  [body.name ?? 'no name', body.castingMode, body.membershipMode]
    .join(', ')
    .replaceAll(/CASTING_MODE_|MEMBERSHIP_MODE_/g, '');
