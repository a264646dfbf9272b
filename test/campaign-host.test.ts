import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSecondService } from './support/app.js';
import {
  answerLists,
  type CampaignNetwork,
  type FakeHost,
  SEND_PATH,
  type SentNotification,
  startCampaignNetwork,
  startHost,
} from './support/campaign.js';
import { delay } from './support/delay.js';

const CLIENT = 500;
const DAY_MS = 86_400_000;
let world: CampaignNetwork;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  const timings = { campaignMs: 50 };
  world = await startCampaignNetwork({}, { clock: () => Date.now() + ahead, timings });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.network.sql('delete from mini_app_token');
  ahead += 60_000;
});

type Answer = Parameters<typeof startHost>[0];
/** Sends to users 1 to 3 with tokens a, b and c at a host. @returns what the host was asked, and the answer */
const sendTo = async (answer: Answer, more: object = {}) => {
  const host = await startHost(answer);
  try {
    await world.storeTokens(CLIENT, `${host.url}/notify`, [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    const { status, body } = await world.publish(more);
    expect(status).toBe(200);
    const { stats } = await world.stats(body.campaign_id);
    const { error_breakdown, successful_sends } = stats;
    return { body, heard: host.heard, errors: error_breakdown, successful_sends, tokens: await world.tokens() };
  } finally {
    await host.stop();
  }
};
const json =
  (value: unknown): Answer =>
  (_sent, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

test('a call has the form of the specification', async () => {
  const { heard, body } = await sendTo(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
  expect(heard).toEqual([
    {
      notificationId: body.campaign_id,
      title: 'Hello',
      body: 'World',
      targetUrl: `http://${world.miniApp.domain}/thing`,
      tokens: ['a', 'b', 'c'],
    },
  ]);
});

const lists = { successfulTokens: ['a'], invalidTokens: ['b'], rateLimitedTokens: ['c'] };
test.each([
  ['nested', { result: lists }],
  ['flat', lists],
])('answers are read in the form: %s', async (_form, answer) => {
  const { body, heard, errors, tokens } = await sendTo(json(answer));
  expect(body).toMatchObject({ success_count: 1, failure_count: 2, not_attempted_count: 0, retryable_fids: [3] });
  expect(errors).toEqual({ delivery_errors: { invalid_token: 1, rate_limited: 1 }, http_errors: {} });
  expect(heard).toHaveLength(1);
  expect(tokens).toEqual({ a: 'enabled', b: 'invalid', c: 'enabled' });
});

test('a token that its host rejected is not tried again', async () => {
  const { heard } = await sendTo(json({ result: lists }));
  const host = await startHost(json({ result: { successfulTokens: ['a', 'c'] } }));
  try {
    await world.network.sql('update mini_app_token set url = $1', [`${host.url}/notify`]);
    ahead += 60_000;
    const { body } = await world.publish();
    expect(body).toMatchObject({ success_count: 2, failure_count: 0, not_attempted_count: 1 });
    const statuses = body.notification_deliveries.map(({ fid, status }: { fid: number; status: string }) => [
      fid,
      status,
    ]);
    expect(statuses).toEqual([
      [1, 'success'],
      [3, 'success'],
    ]);
    expect([...heard, ...host.heard].flatMap(({ tokens }) => tokens)).toEqual(['a', 'b', 'c', 'a', 'c']);
  } finally {
    await host.stop();
  }
});

test.each([
  ['a token in no list', { result: { successfulTokens: ['a'], failedTokens: [{ token: 'b', reason: 'x' }] } }],
  ['lists of nonsense', { result: { successfulTokens: ['a', 5, null], invalidTokens: 'b', rateLimitedTokens: {} } }],
])('%s counts as failed', async (_what, answer) => {
  const { body, errors } = await sendTo(json(answer));
  expect(body).toMatchObject({ success_count: 1, failure_count: 2, retryable_fids: [2, 3] });
  expect(errors).toEqual({ delivery_errors: { failed: 2 }, http_errors: {} });
});

test.each([
  ['a word', '"ok"'],
  ['nothing', ''],
  ['null', 'null'],
  ['a page', '<html>'],
  ['invalid text', Buffer.from([0x22, 0xff, 0x22])],
])('an answer without lists counts as failed: %s', async (_what, text) => {
  const { body, heard, errors } = await sendTo((_sent, response) => void response.end(text));
  expect(body).toMatchObject({ success_count: 0, failure_count: 3, retryable_fids: [1, 2, 3] });
  expect(errors).toEqual({ delivery_errors: { failed: 3 }, http_errors: {} });
  expect(heard).toHaveLength(1);
});

test.each([
  ['a server error', 500, { http_errors: { 500: 3 }, delivery_errors: {} }],
  ['a redirect', 302, { http_errors: { 302: 3 }, delivery_errors: {} }],
])('a call that fails is made once more: %s', async (_what, status, expected) => {
  const { body, heard, errors } = await sendTo(
    (_sent, response) => void response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
  );
  expect(body).toMatchObject({ success_count: 0, failure_count: 3, retryable_fids: [1, 2, 3] });
  expect(errors).toEqual(expected);
  expect(heard.map(({ notificationId, tokens }) => [notificationId, tokens])).toEqual(
    Array(2).fill([body.campaign_id, ['a', 'b', 'c']]),
  );
});

test('a host that is back at the second call gets the notification', async () => {
  let calls = 0;
  const { body, errors } = await sendTo(({ tokens }, response) => {
    calls += 1;
    if (calls === 1) response.destroy();
    else answerLists(response, { successfulTokens: tokens });
  });
  expect(body).toMatchObject({ success_count: 3, failure_count: 0, retryable_fids: [] });
  expect(errors).toEqual({ http_errors: {}, delivery_errors: {} });
});

test('429 is a limit for all tokens, and nothing is sent again', async () => {
  const { body, heard, errors } = await sendTo((_sent, response) => void response.writeHead(429).end());
  expect(body).toMatchObject({ success_count: 0, failure_count: 3, retryable_fids: [1, 2, 3] });
  expect(errors).toEqual({ delivery_errors: { rate_limited: 3 }, http_errors: {} });
  expect(heard).toHaveLength(1);
});

test('an answer that is too large is not read to its end', async () => {
  let written = 0;
  const { body, errors } = await sendTo((_sent, response) => {
    const chunk = Buffer.alloc(64 * 1024, 32);
    const write = (): void => {
      while (!response.destroyed && written < 64 * 1024 * 1024) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  expect(body).toMatchObject({ failure_count: 3 });
  expect(errors).toEqual({ delivery_errors: { too_large: 3 }, http_errors: {} });
  expect(written).toBeLessThan(32 * 1024 * 1024);
});

test('a host that cannot be reached costs only its own users', async () => {
  const gone = await startHost(() => undefined);
  await gone.stop();
  await world.storeTokens(CLIENT + 1, `${gone.url}/notify`, [[9, 'of a host that is gone']]);
  const { body, errors } = await sendTo(json({ result: { successfulTokens: ['a', 'b', 'c'] } }));
  expect(body).toMatchObject({ success_count: 3, failure_count: 1, retryable_fids: [9] });
  expect(errors).toEqual({ delivery_errors: { unreachable: 1 }, http_errors: {} });
});

/** Hosts that hold each call until the test lets go. */
const holdingHost = async () => {
  const held: (() => void)[] = [];
  let most = 0;
  const host = await startHost(({ tokens }, response) => {
    held.push(() => answerLists(response, { successfulTokens: tokens }));
    most = Math.max(most, held.length);
  });
  const letGo = (): void => {
    for (const answer of held.splice(0)) answer();
  };
  return { ...host, letGo, waiting: () => held.length, most: () => most };
};

test('more than 100 tokens are sent after the request, 100 in a call and four calls at once', async () => {
  const host = await holdingHost();
  try {
    const users = Array.from({ length: 650 }, (_, n) => [n + 1, `t${n}`] as const);
    await world.storeTokens(CLIENT, `${host.url}/notify`, users);
    const uuid = '00000000-0000-4000-8000-000000000650';
    const sent = await world.publish({}, { uuid });
    expect(sent).toMatchObject({ status: 202, body: { status: 'queued' } });
    await expect.poll(host.waiting).toBe(4);
    const { campaign_id } = sent.body;
    expect(await world.stats(campaign_id)).toMatchObject({
      status: 'running',
      completed_at: null,
      stats: { intended_recipient_notification_token_count: 650, successful_sends: 0 },
    });
    expect(await world.publish({}, { uuid })).toMatchObject({ status: 202, body: sent.body });
    host.letGo();
    await expect.poll(host.waiting).toBe(3);
    host.letGo();
    await expect.poll(async () => (await world.stats(campaign_id)).status).toBe('completed');
    expect(host.heard.map(({ tokens }) => tokens.length).sort()).toEqual([100, 100, 100, 100, 100, 100, 50]);
    expect(new Set(host.heard.flatMap(({ tokens }) => tokens)).size).toBe(650);
    expect(host.most()).toBe(4);
    expect((await world.stats(campaign_id)).stats).toMatchObject({
      successful_sends: 650,
      successful_sends_by_app_fid: { [CLIENT]: 650 },
    });
  } finally {
    await host.stop();
  }
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'two processes send a campaign together, and each token once',
  async () => {
    const host = await startHost(async ({ tokens }, response) => {
      await delay(50);
      answerLists(response, { successfulTokens: tokens });
    });
    const second = await startSecondService(world.network, () => Date.now() + ahead);
    try {
      const users = Array.from({ length: 3_000 }, (_, n) => [n + 1, `t${n}`] as const);
      await world.storeTokens(CLIENT, `${host.url}/notify`, users);
      const { campaign_id } = (await world.publish()).body;
      await expect.poll(async () => (await world.stats(campaign_id)).status, { timeout: 15_000 }).toBe('completed');
      expect((await world.stats(campaign_id)).stats.successful_sends).toBe(3_000);
      const sent = host.heard.flatMap(({ tokens }) => tokens);
      expect([sent.length, new Set(sent).size]).toEqual([3_000, 3_000]);
    } finally {
      await second.stop();
      await host.stop();
    }
  },
);

test('campaigns at the same time do not exceed the limits together', async () => {
  const host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
  try {
    const users = Array.from({ length: 100 }, (_, n) => [n + 1, `t${n}`] as const);
    await world.storeTokens(CLIENT, `${host.url}/notify`, users);
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.publish()));
    const sum = answers.reduce((total, { body }) => total + body.success_count, 0);
    const limited = answers.reduce((total, { body }) => total + body.failure_count, 0);
    expect([sum, limited]).toEqual([100, 400]);
    const sent = host.heard.flatMap(({ tokens }) => tokens);
    expect([sent.length, new Set(sent).size]).toEqual([100, 100]);
  } finally {
    await host.stop();
  }
});

test('a user who switches off meanwhile is not notified', async () => {
  const host = await holdingHost();
  try {
    const users = Array.from({ length: 501 }, (_, n) => [n + 1, `t${n}`] as const);
    await world.storeTokens(CLIENT, `${host.url}/notify`, users);
    const { campaign_id } = (await world.publish()).body;
    await expect.poll(host.waiting).toBe(4);
    await world.network.sql("update mini_app_token set status = 'disabled' where fid = 501");
    host.letGo();
    await expect.poll(host.waiting).toBe(1);
    host.letGo();
    await expect.poll(async () => (await world.stats(campaign_id)).status).toBe('completed');
    const { stats } = await world.stats(campaign_id);
    expect(stats).toMatchObject({
      intended_recipient_notification_token_count: 501,
      successful_sends: 500,
      error_breakdown: { delivery_errors: { disabled_token: 1 }, http_errors: {} },
    });
    expect(host.heard.flatMap(({ tokens }) => tokens)).not.toContain('t500');
  } finally {
    await host.stop();
  }
});

test('tokens of different hosts are never in one call', async () => {
  const hosts: FakeHost[] = [];
  try {
    for (const [n, token] of ['x', 'y', 'z'].entries()) {
      const host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
      hosts.push(host);
      await world.storeTokens(CLIENT + n, `${host.url}/notify`, [[n + 1, token]]);
    }
    // Another host names the address of the first.
    await world.storeTokens(CLIENT + 9, `${hosts[0]?.url}/notify`, [[9, 'poison']]);
    expect((await world.publish()).body).toMatchObject({ success_count: 4 });
    const heard = hosts.map((host) => host.heard.map(({ tokens }: SentNotification) => tokens));
    expect(heard).toEqual([expect.arrayContaining([['x'], ['poison']]), [['y']], [['z']]]);
  } finally {
    for (const host of hosts) await host.stop();
  }
});

test("hosts' limits are never reached: one in 30 seconds, and 100 in a day", async () => {
  const host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
  try {
    await world.storeTokens(CLIENT, `${host.url}/notify`, [[7_777, 'a']]);
    const send = async () => (await world.publish()).body.success_count as number;
    const HOUR_MS = 3_600_000;
    expect(await send()).toBe(1);
    ahead += 29_000;
    expect(await send()).toBe(0);
    ahead += HOUR_MS - 29_000;
    expect(await send()).toBe(1);
    for (let n = 2; n < 100; n++) {
      ahead += 31_000;
      expect(await send()).toBe(1);
    }
    ahead += 31_000;
    const { body } = await world.publish();
    expect(body).toMatchObject({ success_count: 0, failure_count: 1, retryable_fids: [7_777] });
    expect(host.heard).toHaveLength(100);
    // Only the first was more than a day ago.
    ahead += DAY_MS - HOUR_MS - 99 * 31_000;
    expect(await send()).toBe(1);
    ahead += 31_000;
    expect(await send()).toBe(0);
  } finally {
    await host.stop();
  }
});

test('without asynchronous sending a request waits for the hosts, and may have 1000 tokens', async () => {
  const slow = await startCampaignNetwork({ CASTELLAN_NOTIFICATION_ASYNC: 'false' });
  const host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
  try {
    const users = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => [from + n + 1, `t${from + n}`] as const);
    await slow.storeTokens(CLIENT, `${host.url}/notify`, users(0, 1000));
    expect(await slow.publish()).toMatchObject({ status: 200, body: { success_count: 1000, failure_count: 0 } });
    await slow.storeTokens(CLIENT, `${host.url}/notify`, users(1000, 1001));
    const { status, body } = await slow.publish();
    expect([status, body.errors[0].path]).toEqual([400, ['target_fids']]);
    expect((await slow.network.get(SEND_PATH)).body.notificationCampaigns).toHaveLength(1);
  } finally {
    await host.stop();
    await slow.stop();
  }
});
