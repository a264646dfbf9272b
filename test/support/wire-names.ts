import { UserDataType } from '@farcaster/core';
import { WIRE_NAMES } from '../../src/schema/wire-names.js';
import { storeChannels } from './channel.js';
import type { Network } from './network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './seed.js';

/** A user's text that equals a constant of the table. */
export const TEXT = 'SOCIAL_NETWORK_MAINNET';
export const BIO = 'service_user_score';

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** Seeds a network with accounts, casts, a channel, and texts that look like names. @returns also the hash of `TEXT` */
export const seedNames = async (network: Network): Promise<{ readonly seeded: Seeded; readonly written: string }> => {
  await storeChannels(network.app.core.db, [{ id: 'garden', parentUrl: CHANNEL_URL, leadFid: FIDS.carol }]);
  await network.sql(
    `insert into channel_follow (channel_id, fid, followed_at) values ('garden', $1, now()), ('garden', $2, now())`,
    [FIDS.alice, FIDS.bob],
  );
  const seeded = await seedBasics((items) => network.load(items));
  const { alice, bob } = seeded;
  const cast = alice.cast({ text: TEXT });
  await seeded.send(cast, bob.react('like', cast), alice.userData(UserDataType.BIO, BIO));
  await seeded.send(alice.userData(UserDataType.TWITTER, 'alice'));
  return { seeded, written: hex(cast.hash) };
};

const members = new Map<string, string>(
  WIRE_NAMES.filter(({ kind }) => kind !== 'constant').map(({ neutral, ecosystem }) => [neutral, ecosystem]),
);
/** Constants of members that never contain a user's text. */
const constants = new Map<string, string>(
  WIRE_NAMES.filter(({ kind }) => kind === 'constant').map(({ neutral, ecosystem }) => [neutral, ecosystem]),
);
const CONSTANT_MEMBERS = ['network', 'price_source', 'object', 'type'];

/** @returns a response in the ecosystem's names, converted without schemas as an independent check. */
export const inEcosystem = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inEcosystem);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const constant = CONSTANT_MEMBERS.includes(name) ? constants.get(member as string) : undefined;
      return [members.get(name) ?? name, constant ?? inEcosystem(member)];
    }),
  );
};

/** @returns all member names in a value. */
export const namesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(member)]);

export const ecosystemPath = (path: string): string => path.replace('/v2/social/', '/v2/farcaster/');
export const neutralPath = (path: string): string => path.replace('/v2/farcaster/', '/v2/social/');

const inverse = (map: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...map].map(([one, other]) => [other, one]));
const neutralMembers = inverse(members);
export const neutralConstants = inverse(constants);

/** @returns a response in neutral names; the inverse of {@link inEcosystem}. */
export const inNeutral = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inNeutral);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const constant = CONSTANT_MEMBERS.includes(name) ? neutralConstants.get(member as string) : undefined;
      return [neutralMembers.get(name) ?? name, constant ?? inNeutral(member)];
    }),
  );
};
