import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../src/sample/random.js';
import type { Signed } from '../src/sample/signed-message.js';
import { signedAnew } from './support/altered-message.js';
import { type HubFlow, hex, startHubFlow } from './support/hub-api.js';
import { FIDS } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const now = () => ({ at: hub.seeded.clock.tick() });

test('whatever bytes a message has, the response is one of the interface', async () => {
  const { grace } = hub.seeded;
  const messages = [
    grace.cast({ text: 'Hi', embeds: ['https://a.example/'], ...now() }),
    grace.follow(FIDS.erin, hub.seeded.clock.tick()),
    grace.react('like', hub.seeded.casts.hello, hub.seeded.clock.tick()),
    grace.userData(1, 'https://a.example/', hub.seeded.clock.tick()),
  ];
  const random = createRandom('fuzz', 1);
  for (let turn = 0; turn < 400; turn += 1) {
    const message = messages[turn % messages.length] as Signed;
    const change = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes);
      for (let count = 1 + random.integer(3); count > 0; count -= 1) {
        copy[random.integer(copy.length)] = random.integer(256);
      }
      return copy;
    };
    const wire = turn % 3 === 0 ? change(Buffer.from(message.wire)) : signedAnew(grace, message, change);
    for (const path of ['/v1/validateMessage', '/v1/submitMessage']) {
      // A response that its schema does not describe is a 500 here.
      const { status, body } = await hub.postUnchecked(path, wire);
      expect([200, 400], `${path} ${hex(wire)}: ${JSON.stringify(body)}`).toContain(status);
    }
  }
  for (const list of ['castsByFid', 'linksByFid', 'userDataByFid', 'events']) {
    const { status, body } = await hub.getUnchecked(`/v1/${list}?fid=${grace.fid}&from_event_id=0`);
    expect(status, `${list}: ${JSON.stringify(body).slice(0, 500)}`).toBe(200);
  }
});
