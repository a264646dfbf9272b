import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded } from './support/seed.js';
import { approvedSigner, registerAccount, secondsAhead, signKeyRequest } from './support/signer.js';
import { inEcosystem, seedNames } from './support/wire-names.js';

const APP = 9_301;
let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  ({ seeded } = await seedNames(network));
});
afterAll(() => network.stop());

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

describe('requests', () => {
  test('a header is read under the name of its path, and told by it', async () => {
    const ask = (path: string, header: string) => network.get(`${path}?fid=${FIDS.alice}`, { [header]: 'maybe' });
    for (const [path, own, foreign] of [
      ['/v2/social/followers/', 'x-service-experimental', 'x-neynar-experimental'],
      ['/v2/farcaster/followers/', 'x-neynar-experimental', 'x-service-experimental'],
    ] as const) {
      expect(await ask(path, own)).toMatchObject({ status: 400, body: { property: own } });
      expect((await ask(path, own)).body.message).toContain(own);
      // Programs send headers with everything they ask, also to paths that call them otherwise.
      expect((await ask(path, foreign)).status).toBe(200);
    }
    const read = await network.get(`/v2/farcaster/followers/?fid=${FIDS.alice}`, { 'x-neynar-experimental': 'true' });
    expect(read.status).toBe(200);
  });

  test('a member of a body does the same under either name, and is refused under the name of the other path', async () => {
    const custody = await registerAccount(network, APP);
    const register = async (path: string, sponsor: object) => {
      const made = await network.send('POST', '/v2/social/signer/', undefined);
      const deadline = secondsAhead(3600);
      const key = Buffer.from(made.body.public_key.slice(2), 'hex');
      const signature = await signKeyRequest(custody, { app_fid: APP, deadline, key });
      const body = { signer_uuid: made.body.signer_uuid, app_fid: APP, deadline, signature, sponsor };
      const answer = await network.send('POST', `${path}signer/signed_key/`, body);
      const [row] = await network.sql<{ sponsored_by_service: boolean }>(
        'select sponsored_by_service from signed_key_request order by created_at desc limit 1',
      );
      return { answer, sponsored: answer.status === 200 ? row?.sponsored_by_service : undefined };
    };
    const [social, farcaster] = ['/v2/social/', '/v2/farcaster/'];
    expect((await register(social, { sponsored_by_service: true })).sponsored).toBe(true);
    expect((await register(farcaster, { sponsored_by_neynar: true })).sponsored).toBe(true);
    for (const [path, own, foreign] of [
      [social, 'sponsored_by_service', 'sponsored_by_neynar'],
      [farcaster, 'sponsored_by_neynar', 'sponsored_by_service'],
    ] as const) {
      for (const sponsor of [{ [foreign]: true }, { [foreign]: 'yes' }, { [own]: true, [foreign]: true }]) {
        const { answer } = await register(path, sponsor);
        expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidField', property: 'sponsor' } });
        expect(answer.body.message).toBe(`sponsor.${foreign} is called ${own} at this path`);
      }
      // A member that is nobody's name is no fault.
      expect((await register(path, { sponsored_by_nobody: true })).sponsored).toBe(false);
    }
    const { answer } = await register(farcaster, { sponsored_by_neynar: 'yes' });
    expect(answer).toMatchObject({ status: 400, body: { property: 'sponsor' } });
    expect(answer.body.message).toContain('sponsored_by_neynar');
  });

  test('a published cast that is asked for again is answered in the names of the path that asks', async () => {
    const { uuid } = await approvedSigner(network, FIDS.heidi);
    const body = { signer_uuid: uuid, text: 'Morning @alice', idem: 'one-and-the-same' };
    const publish = (path: string) => network.send('POST', path, body);
    const [first, again, third] = [
      await publish('/v2/farcaster/cast/'),
      await publish('/v2/social/cast/'),
      await publish('/v2/farcaster/cast/'),
    ] as [TestResponse, TestResponse, TestResponse];
    expect(first.body.cast.mentioned_profiles[0].experimental).toHaveProperty('neynar_user_score');
    expect(again.body.cast.mentioned_profiles[0].experimental).toHaveProperty('service_user_score');
    expect(again.body.cast.hash).toBe(first.body.cast.hash);
    expect(third.body).toEqual(first.body);
  });

  test('a message is taken and answered under both paths', async () => {
    const message = seeded.bob.cast({ text: 'signed elsewhere' });
    await network.load([message.item]);
    const { body: stored } = await network.get(`/v1/castById?fid=${FIDS.bob}&hash=${hex(message.hash)}`);
    const submit = (path: string, body: unknown) => network.send('POST', path, body);
    for (const body of [stored, inEcosystem(stored)]) {
      const neutral = await submit('/v2/social/message/', body);
      const other = await submit('/v2/farcaster/message/', body);
      expect(neutral.body.data.network).toMatch(/^SOCIAL_NETWORK_/);
      expect(other.body).toEqual(inEcosystem(neutral.body));
    }
  });
});

describe('the shell', () => {
  test('methods and unknown paths are told alike', async () => {
    // The ecosystem's package has it, this interface does not.
    expect((await network.get('/v2/studio/deployment/')).status).toBe(404);
    for (const prefix of ['/v2/social/', '/v2/farcaster/']) {
      const wrong = await network.send('PUT', `${prefix}user/bulk/`, {});
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, OPTIONS, HEAD']);
      expect((await network.get(`${prefix}no/such/path`)).status).toBe(404);
      const bare = await fetch(`${network.url}${prefix}user/bulk/?fids=2`);
      expect(bare.status).toBe(401);
    }
  });

  test('a base URL that ends in a slash is the same address, to methods, errors and measures too', async () => {
    const doubled = (path: string, init?: RequestInit) =>
      fetch(`${network.url}/${path}`, { headers: { 'x-api-key': network.apiKey }, ...init });
    const parent = encodeURIComponent(CHANNEL_URL);
    for (const path of [
      '/v2/farcaster/user/bulk/?fids=2',
      '/v2/social/user/bulk?fids=2',
      '/v2//farcaster/user//bulk//?fids=2',
      '/v1/userDataByFid?fid=2',
      // What stands in a query is left as it is.
      `/v2/farcaster/feed/parent_urls/?parent_urls=${parent}&limit=1`,
      `/v2/farcaster/feed/parent_urls/?parent_urls=${decodeURIComponent(parent)}&limit=1`,
    ]) {
      const answer = await doubled(path);
      expect([path, answer.status]).toEqual([path, 200]);
      const single = await network.get(path.replace(/^[^?]+/, (plain) => plain.replaceAll('//', '/')));
      const settled = (body: object) => ({ ...body, next: undefined });
      expect(settled((await answer.json()) as object)).toEqual(settled(single.body));
    }
    const wrong = await doubled('/v2/farcaster/user/bulk/', { method: 'PUT' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, OPTIONS, HEAD']);
    const asked = await doubled('/v2/farcaster/user/bulk/', { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'GET, OPTIONS, HEAD']);
    expect((await doubled('/v2/farcaster/user/bulk/?fids=2', { headers: {} })).status).toBe(401);
    const unknown = await doubled('/v1/no/such/');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { name: 'HubError' }]);
    const written = await doubled('/v2/farcaster/signer/', {
      method: 'POST',
      headers: { 'x-api-key': network.apiKey, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(written.status).toBe(200);
  });

  test('both paths are one operation to the measures', async () => {
    const count = async (): Promise<number> => {
      const { values } = await network.app.services.metrics.requestSeconds.get();
      const counts = values.filter(({ labels, metricName }) => {
        return labels.operation === 'fetch-bulk-users' && metricName?.endsWith('_count');
      });
      return counts.reduce((sum, { value }) => sum + value, 0);
    };
    const before = await count();
    await network.get('/v2/social/user/bulk/?fids=2');
    await network.get('/v2/farcaster/user/bulk/?fids=2');
    await network.get('//v2/farcaster/user/bulk/?fids=2');
    await expect.poll(count).toBe(before + 3);
  });
});
