import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { type Network, startNetwork } from './support/network.js';
import { rounds } from './support/rounds.js';
import { CHANNEL_URL, FIDS, seedBasics } from './support/seed.js';
import { approvedSigner, secondsAhead } from './support/signer.js';

let network: Network;
let signer_uuid: string;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  const { alice } = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  signer_uuid = (await approvedSigner(network, alice)).uuid;
});
afterAll(() => network.stop());

const CAST = `0x${'ab'.repeat(20)}`;
const KEY = `0x${'ab'.repeat(32)}`;
const URLS = [
  'https://x.example/\0',
  'https://x.example/\ud800',
  'http://127.0.0.1:9',
  'http://127.0.0.1:9/%',
  'app://x',
];

const fid = fc.constantFrom(-1, 0, FIDS.bob, FIDS.carol, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e300, 0.5);
const hash = fc.constantFrom(CAST, CAST.slice(2), '0x12', '');
const signature = fc.constantFrom(`0x${'00'.repeat(65)}`, `0x${'11'.repeat(64)}1b`, `0x${'ff'.repeat(65)}`);
const object = fc.record(
  { fid, hash, signature, sponsored_by_service: fc.boolean(), type: fc.string(), payload: fc.object({ maxDepth: 2 }) },
  { requiredKeys: [] },
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fid,
  hash,
  signature,
  object,
  fc.array(fid, { maxLength: 5 }),
  fc.constantFrom(...URLS, CHANNEL_URL, KEY, 'garden', 'x'.repeat(400), '@bob', '\0', '\ud800', 'like', null),
);

/** Bodies of these members: each absent, or any value at all. */
const bodyOf = (...members: string[]) =>
  fc.record(Object.fromEntries(members.map((member) => [member, anything])), { requiredKeys: [] });

/** Bodies that come far: of the members that are given a range, each is within it more often than not. */
const nearly = (required: Record<string, fc.Arbitrary<unknown>>, ...optional: string[]) =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(required).map(([member, value]) => [
            member,
            fc.oneof({ arbitrary: value, weight: 6 }, { arbitrary: anything, weight: 1 }),
          ]),
        ),
      ),
      bodyOf(...optional),
    )
    .map(([one, other]) => ({ ...other, ...one }));

const reaction = nearly(
  { reaction_type: fc.constantFrom('like', 'recast'), target: fc.constantFrom(CAST, ...URLS) },
  'target_author_fid',
  'idem',
);
const fids = fc.array(fid, { minLength: 1, maxLength: 4 });
const request = {
  app_fid: fc.constantFrom(FIDS.alice, FIDS.bob),
  deadline: fc.integer({ min: 1, max: 1000 }).map(secondsAhead),
  signature,
};

/** Each operation with random values for its members; what is absent or fine may make some requests succeed. */
const OPERATIONS: Record<string, fc.Arbitrary<object>> = {
  'POST /v2/social/cast/': bodyOf('text', 'embeds', 'parent', 'parent_author_fid', 'channel_id', 'idem'),
  'DELETE /v2/social/cast/': bodyOf('target_hash'),
  'POST /v2/social/reaction/': reaction,
  'DELETE /v2/social/reaction/': reaction,
  'POST /v2/social/user/follow/': nearly({ target_fids: fids }),
  'DELETE /v2/social/user/follow/': nearly({ target_fids: fids }),
  'POST /v2/social/block/': nearly({ blocked_fid: fid }),
  'DELETE /v2/social/block/': nearly({ blocked_fid: fid }),
  'POST /v2/social/ban/': nearly({ fids }),
  'DELETE /v2/social/ban/': nearly({ fids }),
  'POST /v2/social/mute/': nearly({ fid, muted_fid: fid }),
  'DELETE /v2/social/mute/': nearly({ fid, muted_fid: fid }),
  'PATCH /v2/social/user/': bodyOf(
    ...['bio', 'username', 'url', 'pfp_url', 'banner', 'display_name', 'location', 'verified_accounts'],
    ...['primary_eth_address', 'primary_sol_address'],
  ),
  'POST /v2/social/user/verification/': bodyOf(
    ...['address', 'block_hash', 'eth_signature', 'verification_type', 'chain_id'],
  ),
  'DELETE /v2/social/user/verification/': bodyOf('address', 'block_hash', 'eth_signature'),
  'POST /v2/social/action/': nearly({ base_url: fc.constantFrom(...URLS), action: object }),
  'POST /v2/social/signer/signed_key/': nearly(request, 'redirect_url', 'sponsor'),
  'POST /v2/social/signer/developer_managed/signed_key/': nearly(
    { ...request, public_key: fc.constant(KEY) },
    'redirect_url',
    'sponsor',
  ),
  'POST /v2/social/auth_address/developer_managed/signed_key/': nearly(
    { ...request, address: fc.constant(CAST) },
    'redirect_url',
    'sponsor',
  ),
  'POST /v2/social/message/': bodyOf('hash', 'data', 'signer', 'signature', 'hashScheme', 'dataBytes'),
  'POST /v2/social/notifications/seen/': bodyOf('type', 'fid'),
};

test.each(Object.entries(OPERATIONS))(
  '%s never fails for what it is sent, and says which member was wrong',
  async (operation, bodies) => {
    const [method = '', path = ''] = operation.split(' ');
    // Nothing listens where the actions go.
    const answers = [200, 207, 400, 404, ...(path.endsWith('/action/') ? [502] : [])];
    await fc.assert(
      fc.asyncProperty(bodies, async (members) => {
        const { status, body } = await network.send(method, path, { signer_uuid, ...members });
        // An idem that came before with another body is refused as just that.
        const expected = status === 409 && 'idem' in members ? [...answers, 409] : answers;
        expect(expected, JSON.stringify(body)).toContain(status);
        if (status === 409) expect(body).toMatchObject({ property: 'idem' });
        if (status === 400 || status === 404)
          expect(body).toEqual(expect.objectContaining({ property: expect.any(String), message: expect.any(String) }));
      }),
      { numRuns: rounds(60) },
    );
  },
);
