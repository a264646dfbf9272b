import { HubEventType, type SignerEventBody, SignerEventType, UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { type HubFlow, startHubFlow } from './support/hub-api.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const now = (): number => fromUnixMs(Date.now());

/** @returns the hub's error code, or undefined, and the words of a refusal */
const submit = async ({ wire }: Signed): Promise<[string | undefined, string | undefined]> => {
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', url: '/v1/submitMessage', headers, payload: Buffer.from(wire) } as const;
  const { errCode, details } = (await hub.shell.server.fastify.inject(request)).json();
  return [errCode, details];
};
const ACCEPTED = [undefined, undefined];

test('an account whose registration is not stored cannot submit, although it has storage and a key', async () => {
  const person = author({ seed: SEED, fid: 7_000_000, clock: hub.seeded.clock });
  await hub.submit([person.rent(1), await person.addSigner()]);
  const early = await submit(person.cast({ text: 'gm' }));
  expect(early).toEqual(['bad_request.unknown_fid', expect.stringMatching(/No registration of fid 7000000/)]);
  await hub.submit([person.register()]);
  expect(await submit(person.cast({ text: 'gm' }))).toEqual(ACCEPTED);
});

test('a key that was removed signs again after an admin reset, one that was never added does not', async () => {
  const { erin } = hub.seeded;
  const resetOf = (item: IngestItem): IngestItem => {
    if (item.kind !== 'onchain') throw new Error('not an onchain event');
    const body = item.event.signerEventBody as SignerEventBody;
    return { ...item, event: { ...item.event, signerEventBody: { ...body, eventType: SignerEventType.ADMIN_RESET } } };
  };
  const [removed, unknown] = [erin.withKey(50), erin.withKey(51)];
  await hub.submit([await removed.addSigner(), removed.removeSigner()]);
  expect(await submit(removed.cast({ text: 'removed' }))).toEqual([
    expect.any(String),
    expect.stringMatching(/was removed/),
  ]);
  await hub.submit([resetOf(removed.removeSigner()), resetOf(unknown.removeSigner())]);
  expect(await submit(removed.cast({ text: 'reset' }))).toEqual(ACCEPTED);
  expect((await submit(unknown.cast({ text: 'reset' })))[0]).toBe('bad_request.unknown_signer');
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a loan of 0 units ends a loan and keeps no place, and an older loan does not return', async () => {
  const { dan, bob } = hub.seeded;
  await hub.submit([dan.rent(2)]);
  const old = dan.lendStorage(bob.fid, 1, now() - 60);
  expect(await submit(old)).toEqual(ACCEPTED);
  for (const [index, fid] of [FIDS.bob, FIDS.carol, FIDS.erin, FIDS.heidi].entries())
    expect(await submit(dan.lendStorage(fid, 0, now() - 50 + index))).toEqual(ACCEPTED);
  await hub.submit([old.item]);
  expect(await submit(dan.lendStorage(FIDS.grace, 1, now() - 40))).toEqual(ACCEPTED);
  const loans = await hub.shell.db.run(
    'select target_fid from message where fid = $1 and message_set = 8 and not void',
    [dan.fid],
  );
  expect(loans).toEqual([{ target_fid: FIDS.grace }]);
  const events = await hub.shell.db.run('select id from hub_event where fid = $1 and type = $2', [
    dan.fid,
    HubEventType.PRUNE_MESSAGE,
  ]);
  expect(events).toHaveLength(4);
  expect(await audit(hub.shell.db)).toEqual([]);
});

test('a GitHub name cannot be empty', async () => {
  const { dan } = hub.seeded;
  const empty = await submit(dan.userData(UserDataType.GITHUB, '', now()));
  expect(empty).toEqual(['bad_request.validation_failure', expect.stringMatching(/GitHub name cannot be empty/)]);
});
