import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { type SignerKey, signerKey } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type HubFlow, startHubFlow } from './support/hub-api.js';
import { inNewEnvelope, keyAdd, keyRemove, keySelfRemove } from './support/key-message.js';
import { FIDS, SEED } from './support/seed.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

const keyOf = (index: number): SignerKey => signerKey(derive(SEED, 'signer', FIDS.alice, 200 + index));
const now = (): number => hub.seeded.clock.tick();

/** @returns the status, and the words of a refusal */
const submit = async ({ wire }: { readonly wire: Uint8Array }): Promise<[number, string | undefined]> => {
  const headers = { 'x-api-key': await hub.shell.key(), 'content-type': 'application/octet-stream' };
  const request = { method: 'POST', url: '/v1/submitMessage', headers, payload: Buffer.from(wire) } as const;
  const answer = await hub.shell.server.fastify.inject(request);
  return [answer.statusCode, answer.json().details];
};
const ACCEPTED = [200, undefined];

describe('a nonce counts once', () => {
  test('a registration does not return in a new envelope after its key removed itself', async () => {
    const { alice, app } = hub.seeded;
    const key = keyOf(1);
    const add = await keyAdd(alice, { key, nonce: 3, app, at: now() });
    expect(await submit(add)).toEqual(ACCEPTED);
    expect(await submit(keySelfRemove(alice, { key, nonce: 1, at: now() }))).toEqual(ACCEPTED);
    const returned = await submit(inNewEnvelope(add, key, now()));
    expect(returned).toEqual([400, expect.stringMatching(/nonce must be above 3, the last one of fid/)]);
    expect(await submit(await keyAdd(alice, { key, nonce: 4, app, at: now() }))).toEqual(ACCEPTED);
  });

  test('removals by the keys of an app share its nonce, which begins above 0', async () => {
    const { alice, bob, app } = hub.seeded;
    const [first, second] = [keyOf(2), keyOf(3)];
    expect(await submit(await keyAdd(alice, { key: first, nonce: 5, app, at: now() }))).toEqual(ACCEPTED);
    expect(await submit(await keyAdd(bob, { key: second, nonce: 1, app, at: now() }))).toEqual(ACCEPTED);
    const none = await submit(keySelfRemove(alice, { key: first, nonce: 0, at: now() }));
    expect(none).toEqual([400, expect.stringMatching(/nonce must be above/)]);
    expect(await submit(keySelfRemove(alice, { key: first, nonce: 7, at: now() }))).toEqual(ACCEPTED);
    const low = await submit(keySelfRemove(bob, { key: second, nonce: 7, at: now() }));
    expect(low).toEqual([400, expect.stringMatching(/nonce must be above 7, the last one of the app with fid/)]);
    expect(await submit(keySelfRemove(bob, { key: second, nonce: 8, at: now() }))).toEqual(ACCEPTED);
    expect(await submit(await keyRemove(alice, { key: keyOf(1), nonce: 6, at: now() }))).toEqual(ACCEPTED);
    expect(await audit(hub.shell.db)).toEqual([]);
  });
});
