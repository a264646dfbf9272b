import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import { wallet } from '../src/sample/key.js';
import { derive } from '../src/sample/random.js';
import { type FakeHost, SEND_PATH, startHost } from './support/campaign.js';
import { buildProgram, freePort } from './support/castellan.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { associate } from './support/mini-app.js';
import { type Receiver, startReceiver } from './support/receiver.js';

/** A run by hand may set more: CASTELLAN_TEST_TOKENS=10000 CASTELLAN_TEST_KILLS=6. */
const TOKENS = Number(process.env.CASTELLAN_TEST_TOKENS ?? 1_000);
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 2);
/** Time that a call takes, so that there are calls in progress when the service is killed. */
const ANSWER_MS = 300;
const SERVICE = fileURLToPath(new URL('support/event-service-child.mjs', import.meta.url));

let folder: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let manifest: Receiver;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await buildProgram();
  folder = await mkdtemp(join(tmpdir(), 'castellan-campaign-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  const claimed = await startReceiver(async (_request, response) => {
    const domain = `localhost:${claimed.port}`;
    const accountAssociation = await associate(wallet(derive('campaign', 'custody', 1)).account, 1, domain);
    response.end(JSON.stringify({ accountAssociation, miniapp: { webhookUrl: `http://${domain}/webhook` } }));
  });
  manifest = claimed;
  environment = {
    PATH: process.env.PATH ?? '',
    CASTELLAN_DATA_DIR: folder,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_LOCAL_CHAIN: 'off',
    CASTELLAN_METRICS_PORT: 'off',
    PORT: String(await freePort()),
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await manifest.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const serve = async (): Promise<ChildProcess> => {
  const args = [SERVICE, String(Date.now()), '1'];
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the service ended before it was ready'))),
  ]);
  return child;
};
const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};

/** What the hosts made of each token; what they say about it does not change, as the specification wants it. */
const recorded = { delivered: new Set<string>(), invalid: new Set<string>(), rateLimited: new Set<string>() };

/** Decides by the token's number: most are delivered, some are unknown, some have had enough. */
const record = (tokens: readonly string[]) => {
  const kindOf = (token: string): keyof typeof recorded => {
    const number = Number(token.split('-')[1]);
    if (number % 50 === 7) return 'invalid';
    return number % 33 === 5 ? 'rateLimited' : 'delivered';
  };
  const pick = (kind: keyof typeof recorded): string[] => {
    const found = tokens.filter((token) => kindOf(token) === kind);
    for (const token of found) recorded[kind].add(token);
    return found;
  };
  const result = {
    successfulTokens: pick('delivered'),
    invalidTokens: pick('invalid'),
    rateLimitedTokens: pick('rateLimited'),
  };
  return JSON.stringify({ result });
};

/** Tokens that the host that fails once was asked about. */
const seen = new Set<string>();
const HOSTS: Record<string, { readonly share: number; readonly answer: Parameters<typeof startHost>[0] }> = {
  good: {
    share: 0.6,
    answer: async ({ tokens }, response) => {
      await wait(ANSWER_MS);
      response.end(record(tokens));
    },
  },
  // Takes the notification, but the first answer is lost.
  flaky: {
    share: 0.3,
    answer: async ({ tokens }, response) => {
      await wait(ANSWER_MS);
      const answer = record(tokens);
      const isRepeated = tokens.every((token) => seen.has(token));
      for (const token of tokens) seen.add(token);
      if (isRepeated) response.end(answer);
      else response.destroy();
    },
  },
  broken: { share: 0.05, answer: (_sent, response) => void response.writeHead(503).end('{}') },
  hanging: { share: 0.05, answer: () => undefined },
};

test(
  `a campaign to ${TOKENS} tokens ends with exact statistics although the service is killed ${KILLS} times`,
  async () => {
    const hosts: Record<string, FakeHost> = {};
    const sizes: Record<string, number> = {};
    await end(await serve(), 'SIGTERM');
    const db = await openDatabase(loadStoreConfig(environment));
    await db.run('insert into mini_app (app_id, domain) values ($1, $2)', [
      DEFAULT_APP_ID,
      `localhost:${manifest.port}`,
    ]);
    for (const [index, [name, { share, answer }]] of Object.entries(HOSTS).entries()) {
      const host = await startHost(answer);
      hosts[name] = host;
      sizes[name] = Math.round(TOKENS * share);
      await db.run(
        `insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
         select $1, n, $2, $3, $4 || '-' || n, 'enabled', '{}', now(), now() from generate_series(1, $5::integer) n`,
        [DEFAULT_APP_ID, 100 + index, `${host.url}/notify`, name, sizes[name] as number],
      );
    }
    await db.close();
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    const calls = () => Object.values(hosts).reduce((sum, { heard }) => sum + heard.length, 0);

    let service = await serve();
    const url = `http://127.0.0.1:${environment.PORT}${SEND_PATH}`;
    const headers = { 'x-api-key': environment.CASTELLAN_API_KEY as string, 'content-type': 'application/json' };
    const notification = {
      title: 'a',
      body: 'b',
      target_url: `http://localhost:${manifest.port}/`,
      uuid: randomUUID(),
    };
    const send = async () =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ notification }) })).json();
    const sent = (await send()) as { campaign_id: string };
    expect(sent).toMatchObject({ status: 'queued' });
    const read = async () =>
      (
        (await (await fetch(`${url}?campaign_id=${sent.campaign_id}`, { headers })).json()) as {
          // biome-ignore lint/suspicious/noExplicitAny: the test reads members of whatever came
          notificationCampaigns: any[];
        }
      ).notificationCampaigns[0];

    const calm = Math.ceil(total / 100);
    for (let kill = 1; kill <= KILLS; kill++) {
      const from = calls();
      const step = Math.max(2, Math.floor(calm / (2 * (KILLS + 1))));
      await expect.poll(() => calls() - from, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(step);
      expect((await read()).status).toBe('running');
      await end(service, 'SIGKILL');
      service = await serve();
    }
    await expect.poll(async () => (await read()).status, { timeout: 600_000, interval: 500 }).toBe('completed');

    const { stats } = await read();
    const size = (name: string) => sizes[name] as number;
    expect(stats).toMatchObject({
      intended_recipient_notification_token_count: total,
      successful_sends: recorded.delivered.size,
      error_breakdown: {
        delivery_errors: {
          invalid_token: recorded.invalid.size,
          rate_limited: recorded.rateLimited.size,
          timeout: size('hanging'),
        },
        http_errors: { 503: size('broken') },
      },
    });
    const { delivery_errors, http_errors } = stats.error_breakdown;
    const failures = [...Object.values(delivery_errors), ...Object.values(http_errors)] as number[];
    expect(failures.reduce((sum, count) => sum + count, stats.successful_sends)).toBe(total);
    expect(recorded.delivered.size + recorded.invalid.size + recorded.rateLimited.size).toBe(
      size('good') + size('flaky'),
    );
    // Hosts recognize what they know by its id.
    const ids = Object.values(hosts).flatMap(({ heard }) => heard.map(({ notificationId }) => notificationId));
    expect(new Set(ids)).toEqual(new Set([sent.campaign_id]));
    expect(await send()).toEqual(sent);
    const made = calls();
    await end(service, 'SIGTERM');
    expect(calls()).toBe(made);
    const after = await openDatabase(loadStoreConfig(environment));
    const [row] = await after.run<{ n: number }>(
      "select count(*)::integer as n from mini_app_token where status = 'invalid'",
    );
    await after.close();
    expect(row?.n).toBe(recorded.invalid.size);
    for (const host of Object.values(hosts)) await host.stop();
  },
  300_000 + KILLS * 60_000 + TOKENS * 30,
);
