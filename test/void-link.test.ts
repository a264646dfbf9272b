import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

const submit = (wire: Uint8Array) =>
  network.send('POST', '/v1/submitMessage', wire, { 'content-type': 'application/octet-stream' });
const countLinks = async (fid: number): Promise<number> =>
  (await network.sql<{ n: number }>('select count(*)::integer as n from message where fid = $1', [fid]))[0]?.n ?? 0;

test('a follow that is older than the compact state is refused, and leaves nothing behind', async () => {
  const { grace, clock } = seeded;
  const [older, at] = [clock.tick(), clock.tick()];
  await seeded.send(grace.compactLinks('follow', [FIDS.bob], at));
  const before = await countLinks(grace.fid);
  for (const fid of [FIDS.carol, FIDS.dan, FIDS.erin]) {
    const { status, body } = await submit(grace.follow(fid, older).wire);
    expect({ status, code: body.errCode }).toEqual({ status: 400, code: 'bad_request.conflict' });
  }
  expect(await countLinks(grace.fid)).toBe(before);
  expect((await submit(grace.follow(FIDS.heidi, clock.tick()).wire)).status).toBe(200);
  expect(await countLinks(grace.fid)).toBe(before + 1);
});
