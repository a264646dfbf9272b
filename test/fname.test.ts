import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalAccount } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpNameRegistry } from '../src/fname/http-registry.js';
import { nameClaimHash } from '../src/fname/name-claim.js';
import { type AccountNetwork, newPerson, startAccountNetwork, transferBody } from './support/account.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';
import { holdTimeLimits } from './support/time-limit.js';

const AVAILABILITY = '/v2/social/fname/availability/';
/** What the public registry says of a name that nobody has. */
const NOBODY = '{"error":"No transfer found"}';
const TRANSFERS = '/fname-registry/transfers';

describe('the registry of a local network', () => {
  let fixture: AccountNetwork;
  beforeAll(async () => {
    fixture = await startAccountNetwork();
  });
  afterAll(() => fixture.stop());

  const nobody = async (): Promise<{ fid: number; person: LocalAccount }> => {
    const person = newPerson();
    const { body } = await fixture.registerOnchain({}, person);
    return { fid: body.user.fid, person };
  };
  const request = async (
    { fid, person }: { fid: number; person: LocalAccount },
    name: string,
    change: { from?: number; to?: number; timestamp?: number; fid?: number } = {},
  ) => {
    const claim = { name, owner: person.address, timestamp: change.timestamp ?? Math.floor(Date.now() / 1000) };
    const signature = await person.sign?.({ hash: nameClaimHash(claim) });
    return { ...claim, from: 0, to: fid, fid, signature, ...change };
  };
  const post = (body: object) => fixture.network.send('POST', TRANSFERS, body, { 'x-api-key': '' });
  const isFree = async (name: string) =>
    (await fixture.network.get(`${AVAILABILITY}?fname=${encodeURIComponent(name)}`)).body;

  test('gives a free name to one of those who want it at a time, and takes it back', async () => {
    const people = await Promise.all([nobody(), nobody(), nobody()]);
    expect(await isFree('oyster')).toEqual({ available: true });
    const answers = await Promise.all(people.map(async (one) => post(await request(one, 'oyster'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(answers.filter(({ status }) => status === 400).map(({ body }) => body.code)).toEqual([
      'USERNAME_TAKEN',
      'USERNAME_TAKEN',
    ]);
    expect(await isFree('oyster')).toEqual({ available: false });
    const winner = people[answers.findIndex(({ status }) => status === 200)] as (typeof people)[number];
    const proof = await fixture.network.get('/v1/userNameProofByName?name=oyster');
    expect(proof.body).toMatchObject({ fid: winner.fid, name: 'oyster' });
    const current = await fixture.network.get(`${TRANSFERS}/current?fid=${winner.fid}`);
    expect(current.body.transfer).toMatchObject({ username: 'oyster', to: winner.fid });
    expect((await post(await request(winner, 'mussel'))).body.code).toBe('TOO_MANY_NAMES');
    const later = Math.floor(Date.now() / 1000) + 5;
    const released = await request(winner, 'oyster', { from: winner.fid, to: 0, timestamp: later });
    expect((await post(released)).status).toBe(200);
    expect(await isFree('oyster')).toEqual({ available: true });
    expect((await fixture.network.get(`${TRANSFERS}/current?name=oyster`)).status).toBe(404);
  });

  test('rejects requests that the owner did not sign, or that are not in force', async () => {
    const [one, other] = await Promise.all([nobody(), nobody()]);
    const now = Math.floor(Date.now() / 1000);
    const good = await request(one, 'limpet');
    const cases: [object, string | undefined][] = [
      [{ ...good, signature: (await request(other, 'limpet')).signature }, 'INVALID_SIGNATURE'],
      [{ ...good, name: 'whelk' }, 'INVALID_SIGNATURE'],
      [await request(one, 'limpet', { timestamp: now - 700 }), 'INVALID_TIMESTAMP'],
      [await request(one, 'limpet', { timestamp: now + 700 }), 'INVALID_TIMESTAMP'],
      [await request({ fid: other.fid, person: one.person }, 'limpet'), 'INVALID_FID_OWNER'],
      [await request(one, 'Limpet'), 'INVALID_USERNAME'],
      [await request(one, 'limpet.eth'), 'INVALID_USERNAME'],
      [await request(one, 'limpet', { fid: other.fid }), 'UNAUTHORIZED'],
      [await request(one, 'limpet', { from: one.fid, to: other.fid }), 'UNAUTHORIZED'],
      [await request(one, 'limpet', { from: one.fid, to: 0 }), 'USERNAME_NOT_FOUND'],
      [{ ...good, signature: 7 }, undefined],
    ];
    for (const [body, code] of cases) {
      const answer = await post(body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
    expect(await isFree('limpet')).toEqual({ available: true });
  });

  test('a person is registered with a name, which the profile shows', async () => {
    const { network, chain, headers } = fixture;
    const { body } = await network.get('/v2/social/user/fid/', headers);
    const person = newPerson();
    const wanted = { ...(await transferBody(chain, body.fid, person)), fname: 'cockle' };
    const taken = await nobody();
    expect((await post(await request(taken, 'clam'))).status).toBe(200);
    const conflict = await network.send('POST', '/v2/social/user/', { ...wanted, fname: 'clam' }, headers);
    expect([conflict.status, conflict.body.property]).toEqual([409, 'fname']);
    const answer = await network.send('POST', '/v2/social/user/', wanted, headers);
    expect([answer.status, answer.body.user?.username]).toEqual([200, 'cockle']);
    expect((await network.get('/v2/social/user/by_username/?username=cockle')).body.user.fid).toBe(body.fid);
  });
});

describe('a registry elsewhere', () => {
  let registry: Server;
  let answer: (url: string) => { status: number; body: string } | undefined;
  let network: Network;
  beforeAll(async () => {
    registry = createServer((request, response) => {
      const said = answer(request.url ?? '');
      if (said) response.writeHead(said.status, { location: '/elsewhere' }).end(said.body);
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    network = await startNetwork({ CASTELLAN_FNAME_REGISTRY_URL: `http://127.0.0.1:${port}/` });
    await seedBasics((items) => network.load(items));
  });
  afterAll(async () => {
    await network.stop();
    registry.closeAllConnections();
    registry.close();
  });

  const ask = (name: string) => network.get(`${AVAILABILITY}?fname=${encodeURIComponent(name)}`);
  const transfer = (to: number) =>
    JSON.stringify({
      transfer: {
        id: 1,
        timestamp: 1,
        username: 'x',
        owner: `0x${'11'.repeat(20)}`,
        from: 0,
        to,
        server_signature: '0x11',
      },
    });

  test('decides about names that nobody has here', async () => {
    answer = (url) => ({
      status: url.endsWith('name=free') ? 404 : 200,
      body: url.endsWith('free') ? NOBODY : transfer(7),
    });
    expect((await ask('free')).body).toEqual({ available: true });
    expect((await ask('taken')).body).toEqual({ available: false });
    answer = () => ({ status: 404, body: NOBODY });
    expect((await ask('alice')).body).toEqual({ available: false });
  });

  test('that does not answer as it should is an error, never a free name', async () => {
    const limits = holdTimeLimits();
    const oddities: ((url: string) => { status: number; body: string } | undefined)[] = [
      () => ({ status: 500, body: '{}' }),
      () => ({ status: 200, body: 'no JSON' }),
      () => ({ status: 404, body: 'no JSON' }),
      () => ({ status: 404, body: '{"message":"no route"}' }),
      () => ({ status: 200, body: '{}' }),
      () => ({ status: 200, body: transfer(-1) }),
      () => ({ status: 200, body: transfer(7).replace(/"owner":("\w+")/, '"owner":[$1]') }),
      () => ({ status: 200, body: transfer(7).replace('"0x11"', '["0x11"]') }),
      () => ({ status: 301, body: '' }),
      () => ({ status: 200, body: ' '.repeat(100_000) }),
      () => {
        limits.end();
        return undefined;
      },
    ];
    for (const oddity of oddities) {
      answer = oddity;
      const { status, body } = await ask('free');
      expect([status, body.code]).toEqual([500, 'NameRegistryUnavailable']);
    }
    expect(new Set(limits.lengths)).toEqual(new Set([5_000]));
  });

  test.each(['"constructor"', '"__proto__"', '{"toString":1}', '["TOO_MANY_NAMES"]', 'null', '""', '"\\u0000"'])(
    'that rejects a request with the code %s rejects the name',
    async (code) => {
      answer = () => ({ status: 400, body: `{"code":${code}}` });
      const { port } = registry.address() as AddressInfo;
      const request = { name: 'oyster', from: 0, to: 7, fid: 7, owner: '0x', timestamp: 1, signature: '0x' } as const;
      const rejected = createHttpNameRegistry(`http://127.0.0.1:${port}`).transfer(request);
      await expect(rejected).rejects.toMatchObject({
        kind: 'invalid',
        property: 'fname',
        message: expect.stringMatching(
          /^The name registry rejects the request: (constructor|__proto__|it says no reason)\.$/,
        ),
      });
    },
  );

  test('is not asked about what is no name', async () => {
    answer = () => ({ status: 404, body: NOBODY });
    for (const name of ['', 'UPPER', 'with space', 'name.eth', 'a'.repeat(17), '-dash', 'ünicode', 'a\0b']) {
      const { status, body } = await ask(name);
      expect([name, status, body.property]).toEqual([name, 400, 'fname']);
    }
  });
});
