import {
  CastType,
  HubEvent,
  HubEventType,
  type Message,
  MessageData,
  MessageType,
  UserDataType,
  validations,
} from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { ethereumVerification } from '../src/sample/verification-claim.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let signer: { readonly uuid: string; readonly publicKey: Uint8Array };
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  signer = await approvedSigner(network, seeded.bob);
});
afterAll(() => network.stop());

const hashOf = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;

type Send = (method: string, path: string, body: object) => Promise<TestResponse>;

/** One kind of message: how it is written through the front door, and what it must say. */
interface Kind {
  readonly name: string;
  write(send: Send): Promise<TestResponse>;
  readonly says: () => Partial<MessageData>;
}

const reaction = (type: 'like' | 'recast', target: () => string) => ({ reaction_type: type, target: target() });
const hello = () => hashOf(seeded.casts.hello);
const toHello = () => ({ fid: FIDS.alice, hash: Buffer.from(seeded.casts.hello.hash) });

const PLAIN = { embedsDeprecated: [], mentions: [], mentionsPositions: [], embeds: [], type: CastType.CAST };

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const wallet = () => seeded.bob.wallet(4);
const claim = async () => {
  const place = { fid: FIDS.bob, network: network.app.core.network, blockHash: new Uint8Array(32).fill(5) };
  const { address, blockHash, claimSignature } = await ethereumVerification(place, wallet());
  return { address: toHex(address), block_hash: toHex(blockHash), eth_signature: toHex(claimSignature) };
};

const KINDS: readonly Kind[] = [
  {
    name: 'like',
    write: (send) => send('POST', '/v2/social/reaction/', reaction('like', hello)),
    says: () => ({
      type: MessageType.REACTION_ADD,
      reactionBody: { type: 1, targetCastId: toHello(), targetUrl: undefined },
    }),
  },
  {
    name: 'recast of a URL',
    write: (send) =>
      send(
        'POST',
        '/v2/social/reaction/',
        reaction('recast', () => 'https://news.example/レシピ'),
      ),
    says: () => ({
      type: MessageType.REACTION_ADD,
      reactionBody: { type: 2, targetCastId: undefined, targetUrl: 'https://news.example/レシピ' },
    }),
  },
  {
    name: 'like taken back',
    write: (send) => send('DELETE', '/v2/social/reaction/', reaction('like', hello)),
    says: () => ({
      type: MessageType.REACTION_REMOVE,
      reactionBody: { type: 1, targetCastId: toHello(), targetUrl: undefined },
    }),
  },
  {
    name: 'follow',
    write: (send) => send('POST', '/v2/social/user/follow/', { target_fids: [FIDS.erin] }),
    says: () => ({ type: MessageType.LINK_ADD, linkBody: { type: 'follow', targetFid: FIDS.erin } as never }),
  },
  {
    name: 'unfollow',
    write: (send) => send('DELETE', '/v2/social/user/follow/', { target_fids: [FIDS.erin] }),
    says: () => ({ type: MessageType.LINK_REMOVE, linkBody: { type: 'follow', targetFid: FIDS.erin } as never }),
  },
  {
    name: 'block',
    write: (send) => send('POST', '/v2/social/block/', { blocked_fid: FIDS.frank }),
    says: () => ({ type: MessageType.LINK_ADD, linkBody: { type: 'block', targetFid: FIDS.frank } as never }),
  },
  {
    name: 'block taken back',
    write: (send) => send('DELETE', '/v2/social/block/', { blocked_fid: FIDS.frank }),
    says: () => ({ type: MessageType.LINK_REMOVE, linkBody: { type: 'block', targetFid: FIDS.frank } as never }),
  },
  {
    name: 'cast with mentions and embeds in a reply',
    write: (send) =>
      send('POST', '/v2/social/cast/', {
        text: '🍅 @alice と @bob',
        embeds: [{ url: 'https://news.example/レシピ' }, { cast_id: { hash: hello(), fid: FIDS.alice } }],
        parent: hello(),
      }),
    says: () => ({
      type: MessageType.CAST_ADD,
      castAddBody: {
        ...PLAIN,
        text: '🍅  と ',
        mentions: [FIDS.alice, FIDS.bob],
        mentionsPositions: [5, 10],
        embeds: [{ url: 'https://news.example/レシピ' }, { castId: toHello() }],
        parentCastId: toHello(),
      },
    }),
  },
  {
    name: 'long cast under a URL',
    write: (send) => send('POST', '/v2/social/cast/', { text: 'é'.repeat(200), parent: 'https://blog.example/1' }),
    says: () => ({
      type: MessageType.CAST_ADD,
      castAddBody: {
        ...PLAIN,
        text: 'é'.repeat(200),
        type: CastType.LONG_CAST,
        parentUrl: 'https://blog.example/1',
      },
    }),
  },
  {
    name: 'cast taken back',
    write: async (send) => {
      const { body } = await send('POST', '/v2/social/cast/', { text: 'Not for long' });
      return send('DELETE', '/v2/social/cast/', { target_hash: body.cast.hash });
    },
    says: () => ({ type: MessageType.CAST_REMOVE, castRemoveBody: { targetHash: expect.any(Uint8Array) } }),
  },
  ...(
    [
      ['bio', 'Builds, and tests 🧪', UserDataType.BIO],
      ['display_name', '', UserDataType.DISPLAY],
      ['username', 'bob', UserDataType.USERNAME],
      ['pfp_url', 'https://image.example/bob2.png', UserDataType.PFP],
      ['url', 'https://bob.example', UserDataType.URL],
      ['location', { latitude: -0.001, longitude: 7 }, UserDataType.LOCATION, 'geo:0.00,7.00'],
      ['verified_accounts', { x: 'Bob_B' }, UserDataType.TWITTER, 'bob_b'],
      ['verified_accounts', { github: 'bob-b' }, UserDataType.GITHUB, 'bob-b'],
    ] as const
  ).map(
    ([member, value, type, said]): Kind => ({
      name: `${member} of a profile`,
      write: async (send) => {
        // What stands already is not written again: first something else.
        if (member === 'username') await send('PATCH', '/v2/social/user/', { username: '' });
        return send('PATCH', '/v2/social/user/', { [member]: value });
      },
      says: () => ({
        type: MessageType.USER_DATA_ADD,
        userDataBody: { type, value: said ?? (value as string) },
      }),
    }),
  ),
  {
    name: 'verified address',
    write: async (send) => send('POST', '/v2/social/user/verification/', await claim()),
    says: () => ({
      type: MessageType.VERIFICATION_ADD_ETH_ADDRESS,
      verificationAddAddressBody: expect.objectContaining({
        address: Buffer.from(wallet().address),
        protocol: 0,
        chainId: 0,
      }),
    }),
  },
  {
    name: 'primary address',
    write: (send) => send('PATCH', '/v2/social/user/', { primary_eth_address: toHex(wallet().address) }),
    says: () => ({
      type: MessageType.USER_DATA_ADD,
      userDataBody: {
        type: UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM,
        value: wallet().account.address,
      },
    }),
  },
  {
    name: 'verified address taken back',
    write: async (send) => send('DELETE', '/v2/social/user/verification/', await claim()),
    says: () => ({
      type: MessageType.VERIFICATION_REMOVE,
      verificationRemoveBody: { address: Buffer.from(wallet().address), protocol: 0 },
    }),
  },
];

/** The newest message that was merged, decoded by the protocol's package from the bytes that other hubs get of it. */
const newest = async (): Promise<Message> => {
  const [row] = await network.app.core.db.run<{ body: Buffer }>(
    'select body from hub_event where type = $1 order by id desc limit 1',
    [HubEventType.MERGE_MESSAGE],
  );
  return HubEvent.decode(row?.body as Buffer).mergeMessageBody?.message as Message;
};

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  "the protocol's own package accepts what is written here, byte for byte: %s",
  async (_name, { write, says }) => {
    const answer = await write((method, path, body) =>
      network.send(method, path, { signer_uuid: signer.uuid, ...body }),
    );
    expect(answer.status).toBe(200);
    const message = await newest();
    expect(Buffer.from(message.signer).toString('hex')).toBe(Buffer.from(signer.publicKey).toString('hex'));
    const valid = await validations.validateMessage(message);
    expect(valid.isErr() ? valid.error.message : 'accepted').toBe('accepted');
    expect(MessageData.decode(message.dataBytes as Uint8Array)).toMatchObject(says());
    // One bit more or less, and it is no message of anybody.
    const bytes = Uint8Array.from(message.dataBytes as Uint8Array);
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    expect((await validations.validateMessage({ ...message, data: undefined, dataBytes: bytes })).isErr()).toBe(true);
  },
);
