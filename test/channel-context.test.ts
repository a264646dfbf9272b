import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** What accounts are to the channels that casts and profiles show: `author_channel_context` and `viewer_context`. */

const { alice, bob, carol, dan } = FIDS;

let network: Network;
let seeded: Seeded;
/** By bob, in the channel. */
let root: Signed;
/** By dan, to `root`; mentions alice. */
let reply: Signed;
let signer: string;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  await storeChannels(network.app.core.db, [
    { id: 'garden', parentUrl: CHANNEL_URL, leadFid: carol },
    { id: 'kitchen', parentUrl: 'https://channel.example/~/channel/kitchen' },
  ]);
  root = seeded.casts.channel;
  reply = seeded.dan.cast({ text: ['Marrowfat peas, ', alice], parent: root });
  await seeded.send(reply, seeded.carol.react('like', root));
  await network.sql(
    "insert into channel_member (channel_id, fid, role, since) values ('garden', $1, 'member', now())",
    [dan],
  );
  signer = (await approvedSigner(network, seeded.bob)).uuid;
});
afterAll(() => network.stop());

const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

interface Shown {
  readonly hash?: string;
  readonly channel?: { readonly id: string } | null;
  readonly author_channel_context?: object;
}

/** @returns everything within a body that has this hash and is a cast in full */
const castsIn = (body: unknown, hash: string): Shown[] => {
  if (typeof body !== 'object' || body === null) return [];
  const own = body as Shown;
  const inner = Object.values(body).flatMap((member) => castsIn(member, hash));
  return own.hash === hash && 'reactions' in body ? [own, ...inner] : inner;
};

const contextsOf = async (path: string, cast: Signed): Promise<(object | undefined)[]> => {
  const { status, body } = await network.get(`/v2/social/${path}`);
  expect(status, path).toBe(200);
  const found = castsIn(body, hex(cast));
  expect(found.length, path).toBeGreaterThan(0);
  return found.map((one) => one.author_channel_context);
};

const follow = (method: 'POST' | 'DELETE') =>
  network.send(method, '/v2/social/channel/follow/', { signer_uuid: signer, channel_id: 'garden' });

const places: [string, () => string, () => Signed][] = [
  ['a cast', () => `cast/?type=hash&identifier=${hex(root)}`, () => root],
  ['many casts', () => `casts/?casts=${hex(root)}`, () => root],
  ['the following feed', () => `feed/following/?fid=${alice}`, () => root],
  ['the feed of a channel', () => 'feed/channels/?channel_ids=garden&members_only=false', () => root],
  ['the feed of a parent URL', () => `feed/parent_urls/?parent_urls=${encodeURIComponent(CHANNEL_URL)}`, () => root],
  ['the casts of a user', () => `feed/user/casts/?fid=${bob}`, () => root],
  ['the popular casts of a user', () => `feed/user/popular/?fid=${bob}`, () => root],
  ['a search', () => 'cast/search/?q=beans', () => root],
  ['a conversation', () => `cast/conversation/?type=hash&identifier=${hex(root)}&reply_depth=2`, () => root],
  ['reactions of a user', () => `reactions/user/?fid=${carol}&type=likes`, () => root],
  ['a reply', () => `cast/?type=hash&identifier=${hex(reply)}`, () => reply],
  ['replies of a user', () => `feed/user/replies_and_recasts/?fid=${dan}`, () => reply],
  [
    'replies in a conversation',
    () => `cast/conversation/?type=hash&identifier=${hex(root)}&reply_depth=2`,
    () => reply,
  ],
  ['notifications', () => `notifications/?fid=${alice}`, () => reply],
];

test.each(places)('%s says what the author is to the channel, with and without a viewer', async (_, path, cast) => {
  const expected = cast() === root ? { following: false } : { following: false, role: 'member' };
  for (const viewer of ['', `&viewer_fid=${carol}`]) {
    for (const context of await contextsOf(`${path()}${viewer}`, cast())) expect(context).toEqual(expected);
  }
});

test('what the author is to the channel changes with the next response', async () => {
  const path = `casts/?casts=${hex(root)}&viewer_fid=${carol}`;
  const context = async () => (await contextsOf(path, root))[0];
  for (let turn = 0; turn < 3; turn++) expect(await context()).toEqual({ following: false });
  expect((await follow('POST')).status).toBe(200);
  expect(await context()).toEqual({ following: true });
  await network.sql(
    "insert into channel_member (channel_id, fid, role, since) values ('garden', $1, 'moderator', now())",
    [bob],
  );
  expect(await context()).toEqual({ following: true, role: 'moderator' });
  await network.sql("delete from channel_member where channel_id = 'garden' and fid = $1", [bob]);
  expect((await follow('DELETE')).status).toBe(200);
  expect(await context()).toEqual({ following: false });
});

test('channels by name say what the viewer is to them, wherever they are shown, and follows change it at once', async () => {
  const embedding = seeded.dan.cast({ text: 'Look, also in /kitchen', embeds: [root] });
  await seeded.send(
    embedding,
    seeded.alice.userData(UserDataType.BIO, 'At home in /garden with @bob'),
    seeded.carol.userData(UserDataType.BIO, 'Leads /kitchen'),
  );
  const cast = async (of: Signed, viewer: string) =>
    (await network.get(`/v2/social/casts/?casts=${hex(of)}${viewer}`)).body.result.casts[0];
  const user = async (fid: number, viewer: string) =>
    (await network.get(`/v2/social/user/bulk/?fids=${fid}${viewer}`)).body.users[0];
  const shown = async (viewer: string) => {
    const [embedder, inChannel, mentioning] = [
      await cast(embedding, viewer),
      await cast(root, viewer),
      await cast(reply, viewer),
    ];
    const channel = (await network.get(`/v2/social/channel/?id=garden${viewer}`)).body.channel;
    const [author] = (await network.get(`/v2/social/followers/?fid=${bob}${viewer}`)).body.users;
    return {
      mentioned: embedder.mentioned_channels[0],
      embedded: embedder.embeds[0].cast.channel,
      profile: (await user(alice, viewer)).profile.bio.mentioned_channels[0],
      'profile in a list': author.user.profile.bio.mentioned_channels[0],
      'profile of a mentioned account': mentioning.mentioned_profiles[0].profile.bio.mentioned_channels[0],
      'profile of the lead in a cast': inChannel.channel.lead.profile.bio.mentioned_channels[0],
      'profile of the lead': channel.lead.profile.bio.mentioned_channels[0],
    };
  };
  const expectContexts = async (viewer: string, garden: object | undefined, kitchen: object | undefined) => {
    for (const [place, channel] of Object.entries(await shown(viewer))) {
      const { id, viewer_context } = channel as { id: string; viewer_context?: object };
      expect({ place, viewer_context }).toEqual({ place, viewer_context: id === 'garden' ? garden : kitchen });
    }
  };
  const none = { following: false };
  for (let turn = 0; turn < 3; turn++) {
    await expectContexts('', undefined, undefined);
    await expectContexts(`&viewer_fid=${bob}`, none, none);
    await expectContexts(`&viewer_fid=${dan}`, { following: false, role: 'member' }, none);
    await expectContexts(`&viewer_fid=${carol}`, { following: false, role: 'owner' }, none);
  }
  await follow('POST');
  await expectContexts(`&viewer_fid=${bob}`, { following: true }, none);
  await follow('DELETE');
  await expectContexts(`&viewer_fid=${bob}`, none, none);
  await expectContexts('', undefined, undefined);
});

test('a cast outside of channels says nothing of them', async () => {
  const outside = seeded.casts.hello;
  expect(await contextsOf(`casts/?casts=${hex(outside)}&viewer_fid=${carol}`, outside)).toEqual([undefined]);
});
