import { Configuration, NeynarAPIClient } from '@neynar/nodejs-sdk';
import { expect, test } from 'vitest';
import { startAccountEnvironment } from '../conformance/account-environment.js';
import type { Case, Clients } from '../conformance/case.js';
import { caseList } from '../conformance/case-list.js';
import { type Environment, startEnvironment } from '../conformance/environment.js';
import { startPayEnvironment } from '../conformance/pay-environment.js';
import { ALICE, startWriteEnvironment } from '../conformance/write-environment.js';
import { startNetwork } from '../support/network.js';
import { registerHolder } from '../support/signer.js';
import { recordRun } from './record.js';

const methodsOf = (prototype: object): string[] =>
  Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

/** The methods that the client has, whatever its documentation says. */
const METHODS = methodsOf(NeynarAPIClient.prototype);

/** Manages apps that the vendor hosts: no part of this interface. */
const STUDIO = new Set(
  methodsOf(
    Object.getPrototypeOf(
      (new NeynarAPIClient(new Configuration({ apiKey: '' })) as unknown as { apis: { studioApi: object } }).apis
        .studioApi,
    ),
  ),
);

/** Asks for a sign-in that is retired. */
const RETIRED = 'fetchAuthorizationUrl';

/** An account whose holder has the wallet of a phrase. */
const APP = {
  fid: 5000,
  mnemonic: 'test test test test test test test test test test test junk',
  custody: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
} as const;

/** Methods that were called, and whether one call at least returned an answer. */
const answered = new Map<string, boolean>();

/** Writes down what each method that is called comes to; methods that call others of the client are one call. */
const watch = (api: NeynarAPIClient): NeynarAPIClient =>
  new Proxy(api, {
    get: (target, name) => {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...parameters: unknown[]) => {
        const called = String(name);
        answered.set(called, answered.get(called) ?? false);
        const answer = await method.apply(target, parameters);
        // A method that catches its error and returns nothing has no answer either.
        if (answer !== undefined) answered.set(called, true);
        return answer;
      };
    },
  });

const watched = (clients: Clients): Clients => ({
  ...clients,
  api: watch(clients.api),
  with: (headers) => watched(clients.with(headers)),
});

/** Calls a method with every parameter that it says it needs. @returns status and message of the answer */
const callWithAll = async (api: NeynarAPIClient, name: string): Promise<unknown> => {
  const method = Reflect.get(api, name) as (parameters: object) => Promise<unknown>;
  const parameters: Record<string, string> = {};
  for (;;) {
    try {
      return await method.call(api, parameters);
    } catch (error) {
      const { field, response } = error as { field?: string; response?: { status: number; data: { message: string } } };
      if (response) return { status: response.status, message: response.data.message };
      if (field === undefined || field in parameters) throw error;
      parameters[field] = 'anything';
    }
  }
};

/** Makes the sound call of each operation. */
const callAll = async <W extends Environment>(environment: W, cases: readonly Case<W>[]): Promise<void> => {
  const seen: W = { ...environment, clients: (...of) => watched(environment.clients(...of)) };
  for (const { call, beyond } of cases) {
    const called = call(seen.clients(), seen);
    await (beyond?.[200] === undefined ? called : expect(called).rejects.toMatchObject({ response: { status: 410 } }));
  }
};

/** Starts a service, calls the operations that its cases are about, and what is asked for beside them. */
const inEnvironment = async <W extends Environment>(
  start: () => Promise<W>,
  cases: readonly Case<W>[],
  further?: (api: NeynarAPIClient, environment: W) => Promise<unknown>,
): Promise<void> => {
  const environment = await start();
  try {
    await callAll(environment, cases);
    await further?.(watched(environment.clients()).api, environment);
  } finally {
    await environment.stop();
  }
};

test('methods that read', { timeout: 120_000 }, () =>
  inEnvironment(
    () => startEnvironment(),
    caseList.read,
    async (api) => {
      expect((await api.fetchFeedForYou({ fid: ALICE })).casts.length).toBeGreaterThan(0);
      expect((await api.fetchTrendingFeed({ timeWindow: '7d' })).casts.length).toBeGreaterThan(0);
    },
  ),
);

test('methods that write', { timeout: 120_000 }, () =>
  inEnvironment(
    () => startWriteEnvironment(),
    caseList.write,
    async (api, { network, miniApp, signers }) => {
      await api.appHostPostEvent({
        appDomain: miniApp.domain,
        event: 'notifications_enabled',
        fid: ALICE,
        signerUuid: signers.alice,
      } as Parameters<typeof api.appHostPostEvent>[0]);
      expect(miniApp.heard.at(-1)).toMatchObject({ fid: ALICE, event: { event: 'notifications_enabled' } });
      await registerHolder(network, APP.fid, APP.custody);
      expect(await api.createSignerAndRegisterSignedKey({ farcasterDeveloperMnemonic: APP.mnemonic })).toMatchObject({
        status: 'pending_approval',
        signer_approval_url: expect.stringContaining('http'),
      });
    },
  ),
);

test('methods that register accounts', { timeout: 120_000 }, () =>
  inEnvironment(startAccountEnvironment, caseList.account),
);

test('methods of chains and payments', { timeout: 120_000 }, () =>
  inEnvironment(startPayEnvironment, caseList.pay, async (api, { token }) => {
    // The declared parameters are lists, which the client itself refuses; it sends these two.
    const asked: unknown = { network: 'base', address: token };
    expect(await api.getTokenMetadata(asked as Parameters<typeof api.getTokenMetadata>[0])).toMatchObject({
      token: { symbol: 'TKN' },
    });
  }),
);

test('methods of the studio get a 404 that says so', async () => {
  const network = await startNetwork();
  const api = new NeynarAPIClient(new Configuration({ apiKey: network.apiKey, basePath: network.url }));
  for (const name of STUDIO) {
    const refused = await callWithAll(api, name);
    expect([name, refused]).toEqual([name, { status: 404, message: expect.stringContaining('studio') }]);
  }
  await network.stop();
});

test('all methods are answered, but for those of the studio and a retired one', () => {
  const expected = METHODS.filter((name) => !STUDIO.has(name) && name !== RETIRED);
  const calls = Object.fromEntries(expected.map((name) => [name, answered.get(name) === true]));
  expect(expected.filter((name) => !calls[name])).toEqual([]);
  const summary = `all ${METHODS.length} methods, but for ${RETIRED} (410) and the ${STUDIO.size} of the studio (404)`;
  recordRun('@neynar/nodejs-sdk', calls, { summary, isOfProject: true });
});
