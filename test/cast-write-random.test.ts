import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameTokens } from '../src/hydrate/text-token.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
let signer_uuid: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  signer_uuid = (await approvedSigner(network, seeded.alice)).uuid;
});
afterAll(() => network.stop());

const piece = fc.oneof(
  fc.constantFrom('@alice', ' @bob ', '@Carol', '(@dan)', '@nobody', '@erin@host.example', '@', 'me@bob', '/garden'),
  fc.constantFrom(
    ' ',
    '\n',
    '.',
    '-',
    '👩‍👩‍👧',
    '🇯🇵',
    'é',
    'e\u0301',
    '写真',
    '\u200d',
    '\ufe0f',
    '"',
    '\\',
    '</script>',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

test('what is published is read as it was typed, names in the spelling of their accounts', async () => {
  let mentioned = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      const typed = pieces.join('').replaceAll('\0', '');
      const known = nameTokens(typed).filter(({ value }) => Object.hasOwn(FIDS, value));
      fc.pre(typed !== '' && known.length <= 10);
      mentioned += known.length;
      let expected = typed;
      for (const { start, end, value } of known)
        expected = `${expected.slice(0, start)}@${value}${expected.slice(end)}`;
      const { status, body } = await network.send('POST', '/v2/social/cast/', { signer_uuid, text: typed });
      expect([status, body.cast?.text]).toEqual([200, expected]);
      const read = await network.get(`/v2/social/cast/?type=hash&identifier=${body.cast.hash}`);
      expect(read.body.cast.text).toBe(expected);
      expect(read.body.cast.mentioned_profiles.map((user: { username: string }) => user.username)).toEqual(
        known.map(({ value }) => value),
      );
    }),
    { numRuns: 60 },
  );
  expect(mentioned).toBeGreaterThan(10);
});
