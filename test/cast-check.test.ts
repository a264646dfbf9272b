import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHex } from '../src/hex.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

const check = async (fid: number, hash: Uint8Array) => {
  const { status, body } = await network.get(`/portal/cast-check?fid=${fid}&hash=${toHex(hash)}`);
  return { status, body };
};

test('a cast comes as its author signed it, and is checked', async () => {
  const { hash } = seeded.casts.hello;
  const { status, body } = await check(FIDS.alice, hash);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    message: { hash: toHex(hash), data: { fid: FIDS.alice, type: 'MESSAGE_TYPE_CAST_ADD' } },
    is_valid: true,
    problem: null,
    key: { is_active: true, decided_at: expect.any(String) },
  });
  const raw = await network.get(`/v1/castById?fid=${FIDS.alice}&hash=${toHex(hash)}`);
  expect(body.message).toEqual(raw.body);
});

test('the check is made when it is asked for: a signature that was changed in the database shows', async () => {
  const { hash } = seeded.casts.reply;
  await network.sql(
    'update message set signature = set_byte(signature, 5, get_byte(signature, 5) # 1) where hash = $1',
    [Buffer.from(hash)],
  );
  const { body } = await check(FIDS.bob, hash);
  expect(body).toMatchObject({ is_valid: false, problem: expect.stringMatching(/signature/i) });
});

test('a cast that its author might no longer submit stays valid: the rules of its time were kept', async () => {
  // Long casts are of pro accounts, and nobody here is one any more.
  const long = seeded.alice.cast({ text: 'x'.repeat(1_100) });
  await network.load([long.item]);
  const { status, body } = await check(FIDS.alice, long.hash);
  expect({ status, is_valid: body.is_valid, problem: body.problem }).toEqual({
    status: 200,
    is_valid: true,
    problem: null,
  });
});

test('a cast that is not here is not found', async () => {
  expect(await check(FIDS.bob, seeded.casts.hello.hash)).toMatchObject({ status: 404, body: { code: 'NotFound' } });
});
