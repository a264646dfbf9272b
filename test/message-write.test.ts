import { Message, MessageData } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { decodeEnvelope, encodeEnvelope } from '../src/protocol/wire/envelope.js';
import type { Envelope } from '../src/protocol/wire/message.js';
import { DAY } from '../src/sample/clock.js';
import type { Signed } from '../src/sample/signed-message.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, registration, until } from './support/hub-fixture.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
});
afterAll(() => network.stop());

/** As clients write it who build messages with the protocol's own package, without the bytes that were hashed. */
const jsonOf = (wire: Uint8Array) => {
  const data = MessageData.decode(decodeEnvelope(wire).dataBytes);
  return Message.toJSON({ ...Message.decode(wire), data, dataBytes: undefined }) as Record<string, unknown>;
};
const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;
const post = (body: unknown, to = network): Promise<TestResponse> => to.send('POST', '/v2/social/message/', body);
const altered = ({ wire }: Signed, change: (envelope: Envelope) => Partial<Envelope>): Uint8Array => {
  const envelope = decodeEnvelope(wire);
  return encodeEnvelope({ ...envelope, ...change(envelope) });
};

describe('a message that was signed elsewhere', () => {
  test('is stored, answered as hubs write it, and may come again', async () => {
    const message = seeded.grace.cast({ text: ['By my own key, ', FIDS.bob] });
    const answer = await post(jsonOf(message.wire));
    expect(answer).toMatchObject({ status: 200, body: { hash: hex(message), data: { fid: FIDS.grace } } });
    const url = `/v2/social/cast/?type=hash&identifier=${hex(message)}`;
    expect((await network.get(url)).body.cast.text).toBe('By my own key, @bob');
    expect(await post(jsonOf(message.wire))).toEqual({ ...answer, headers: expect.anything() });
    // What was answered is a message too.
    expect((await post(answer.body)).body).toEqual(answer.body);
  });

  test('may be of any kind', async () => {
    const { grace, casts } = seeded;
    const kinds = [
      grace.react('like', casts.hello),
      grace.unreact('like', casts.hello),
      grace.follow(FIDS.bob),
      grace.userData(3, 'Compilers and tests'),
      await grace.verifyEthereum(grace.wallet(3)),
      grace.link('block', FIDS.frank),
    ];
    for (const message of kinds) expect((await post(jsonOf(message.wire))).body.hash).toBe(hex(message));
    const { users } = (await network.get(`/v2/social/user/bulk/?fids=${FIDS.grace}&viewer_fid=${FIDS.frank}`)).body;
    expect(users[0]).toMatchObject({
      profile: { bio: { text: 'Compilers and tests' } },
      viewer_context: { blocked_by: true },
    });
    expect(users[0].verified_addresses.eth_addresses).toHaveLength(1);
  });

  test('is refused with the member that is wrong', async () => {
    const cast = seeded.grace.cast({ text: 'Never' });
    const body = jsonOf(cast.wire);
    const unhashed = jsonOf(altered(cast, ({ hash }) => ({ hash: Buffer.from(hash).reverse() })));
    const unsigned = jsonOf(altered(cast, () => ({ signature: Buffer.alloc(64, 1) })));
    const late = seeded.grace.cast({ text: 'Later', at: fromUnixMs(Date.now()) + 3600 });
    const stranger = seeded.grace.withKey(5).cast({ text: 'Not my key' });
    const data = body.data as { castAddBody: object };
    const long = seeded.grace.cast({ text: 'x'.repeat(10_001) });
    const refused: [unknown, string, RegExp][] = [
      [unhashed, 'hash', /hash/],
      [unsigned, 'signature', /signature/],
      [jsonOf(late.wire), 'data.timestamp', /ahead|future/],
      [jsonOf(stranger.wire), 'signer', /No registration of the key/],
      [jsonOf(long.wire), 'data', /10000 bytes/],
      [jsonOf(seeded.grace.cast({ text: 'x'.repeat(1025) }).wire), 'data', /pro subscription/],
      [jsonOf(seeded.grace.userData(10, 'https://image.example/b.png').wire), 'data', /pro subscription/],
      [{ ...body, data: undefined }, 'data', /object/],
      [{ ...body, hash: '0x12' }, 'hash', /20 bytes/],
      [{ ...body, hashScheme: 'SHA' }, 'hashScheme', /./],
      [
        { ...body, data: { ...data, castAddBody: { ...data.castAddBody, mentions: ['x'] } } },
        'data.castAddBody.mentions[0]',
        /./,
      ],
      [{}, 'data', /object/],
    ];
    for (const [message, property, words] of refused) {
      const answer = await post(message);
      expect({ status: answer.status, property: answer.body.property }).toEqual({ status: 400, property });
      expect(answer.body.message).toMatch(words);
    }
    for (const nothing of [[], null, 'x', 7]) expect((await post(nothing)).body.property).toBe('body');
    expect((await network.get(`/v2/social/cast/?type=hash&identifier=${hex(cast)}`)).status).toBe(400);
  });

  test('that comes too late is refused, for something newer is stored', async () => {
    const [earlier, later] = [seeded.heidi.userData(3, 'Earlier'), seeded.heidi.userData(3, 'Later')];
    expect((await post(jsonOf(later.wire))).status).toBe(200);
    const answer = await post(jsonOf(earlier.wire));
    expect(answer).toMatchObject({ status: 400, body: { property: 'data', code: 'InvalidMessage' } });
    expect(answer.body.message).toContain('later');
  });
});

test('with a hub, the hub decides, and says why', async () => {
  const [author] = authors(41);
  const hub = new FakeHub([1]);
  await hub.start();
  hub.say(...(await registration(author)));
  const forwarding = await startNetwork({ CASTELLAN_HUB_URL: hub.address.address });
  try {
    await until(async () => expect((await forwarding.get('/v2/social/user/bulk/?fids=41')).body.users).toHaveLength(1));
    const cast = author.cast({ text: 'to the network' });
    expect((await post(jsonOf(cast.wire), forwarding)).body.hash).toBe(hex(cast));
    const url = `/v2/social/cast/?type=hash&identifier=${hex(cast)}`;
    expect((await forwarding.get(url)).body.cast.text).toBe('to the network');
    const { uuid } = await approvedSigner(forwarding, author);
    const change = (body: object) => forwarding.send('PATCH', '/v2/social/user/', { signer_uuid: uuid, ...body });
    expect((await change({ bio: 'Over the hub', display_name: 'Forty-one' })).status).toBe(200);
    const { users } = (await forwarding.get('/v2/social/user/bulk/?fids=41')).body;
    expect(users[0]).toMatchObject({ display_name: 'Forty-one', profile: { bio: { text: 'Over the hub' } } });
    hub.refusal = 'no, thank you';
    const unchanged = await change({ url: 'https://forty-one.example', bio: 'Never' });
    expect([unchanged.status, unchanged.body.property]).toEqual([400, 'bio']);
    expect(unchanged.body.message).toContain('no, thank you');
    // What was not sent to the hub, because it stands already, is no failure.
    expect((await change({ bio: 'Over the hub', display_name: 'Other' })).status).toBe(207);
    const answer = await post(jsonOf(author.cast({ text: 'never' }).wire), forwarding);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('no, thank you') } });
  } finally {
    await forwarding.stop();
    hub.stop();
  }
});
