import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConsoleLink } from '../src/access/console-session.js';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { toHex } from '../src/hex.js';
import { submitWithRetry } from '../src/ingest/hub/submit-retry.js';
import { createLog } from '../src/log.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const HOSTILE = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';

describe.skipIf(!hasBrowser)('the console, as someone new uses it', () => {
  let network: Network;
  let seeded: Seeded;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork(
      {
        CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
        CASTELLAN_QUOTA_MODE: 'observe',
        CASTELLAN_DEFAULT_PLAN: 'free',
      },
      undefined,
      { addLocalKey },
    );
    seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
    browser = await launchBrowser();
    const permissions = ['clipboard-read', 'clipboard-write'];
    ({ page, problems } = await signInToConsole(browser, network, { permissions }));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems).toEqual([]);
  });

  const open = async (section: string): Promise<void> => {
    // Some have a count behind their name.
    await page
      .getByRole('complementary')
      .getByRole('link', { name: new RegExp(`^${section}( \\d|$)`) })
      .click();
  };

  test('the key is nowhere in the browser but on its way to the service', async () => {
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(kept).not.toContain(network.apiKey);
    expect(kept).not.toContain('castellan_session');
    expect(
      (await page.context().cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite })),
    ).toEqual([{ name: 'castellan_session', httpOnly: true, sameSite: 'Strict' }]);
  });

  test('find a person, read a thread, see its signed message, and the requests that made the page', async () => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('alice');
    await page.getByRole('option', { name: /@alice/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Alice 🌱' }).waitFor();
    const hash = toHex(seeded.casts.hello.hash);
    await page.locator(`a[href$="/casts/${hash}"]`).first().click();
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
    await page.getByText('Signed message').click();
    await page.getByText('is BLAKE3 of the signed bytes').waitFor();
    await page.getByText('"type": "MESSAGE_TYPE_CAST_ADD"').waitFor();
    await page.getByRole('button', { name: 'How this page is made' }).click();
    const panel = page.getByRole('complementary', { name: 'How this page is made' });
    await panel
      .getByText(/cast\/conversation/)
      .first()
      .waitFor();
    // The thread and its message: no page of the explorer asks for more.
    await expect.poll(() => panel.locator('.asked').count()).toBe(2);
    await panel.getByRole('button', { name: 'Close' }).click();
  });

  test('the link of `castellan dev` signs in, once', async () => {
    const { authenticator, db } = network.app.services;
    const { keyId } = await authenticator.authenticate(network.apiKey);
    const link = `${network.url}/console/?link=${await createConsoleLink(db, keyId, Date.now())}`;
    const open = async (heading: string) => {
      const other = await browser.newPage();
      await other.goto(link);
      await other.getByRole('heading', { name: heading }).waitFor();
      await expect.poll(() => other.url()).not.toContain('link=');
      await other.context().close();
    };
    await open('Everything is up to date');
    await open('Sign in with an API key');
  });

  test('a thing is found by its number, hash, address and channel', async () => {
    const find = async (text: string, option: RegExp): Promise<void> => {
      await page.getByRole('combobox').fill(text);
      await page.getByRole('option', { name: option }).waitFor();
    };
    await find(String(FIDS.bob), /Account 3/);
    await find(toHex(seeded.casts.reply.hash), /Cast 0x/);
    await find(seeded.alice.custody.account.address, /@alice/);
    await find('/garden', /Channel \/garden/);
    await page.keyboard.press('Escape');
  });

  test('a page of the explorer takes at most two requests', async () => {
    const { page: fresh } = await signInToConsole(browser, network);
    const asked: string[] = [];
    fresh.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/v2/')) asked.push(`${pathname}${search}`);
    });
    const follow = async (link: Locator, heading: RegExp): Promise<void> => {
      await link.first().waitFor();
      asked.length = 0;
      await link.first().click();
      await fresh.getByRole('heading', { name: heading }).first().waitFor();
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await fresh.waitForLoadState('networkidle');
      await expect.poll(() => fresh.locator('[aria-busy]').count()).toBe(0);
      expect.soft(asked.length, asked.join('\n')).toBeLessThanOrEqual(2);
    };
    const found = async (text: string, option: RegExp): Promise<Locator> => {
      await fresh.getByRole('combobox').fill(text);
      return fresh.getByRole('option', { name: option });
    };
    const side = fresh.getByRole('complementary');
    await follow(side.getByRole('link', { name: /^People/ }), /People/);
    await follow(await found('alice', /@alice/), /Alice/);
    await follow(fresh.locator('main a[href*="/casts/"]'), /Conversation/);
    await follow(side.getByRole('link', { name: /^Channels/ }), /Channels/);
    await follow(await found('/garden', /Channel \/garden/), /garden/i);
    await fresh.context().close();
  });

  test('make a key with a scope, use it, see the use', async () => {
    await open('Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('website');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const secret = (await page.locator('.secret').textContent()) as string;
    const answer = await fetch(`${network.url}/v2/social/user/bulk/?fids=${FIDS.alice},${FIDS.bob}`, {
      headers: { 'x-api-key': secret },
    });
    expect(answer.status).toBe(200);
    await open('Usage');
    const row = page.getByRole('row', { name: /^fetch-bulk-users \d/ });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { level: 1 }).waitFor();
          return row.count();
        },
        { timeout: 20_000, interval: 1_000 },
      )
      .toBe(1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect(await readFile((await (await download).path()) as string, 'utf8')).toMatch(
      /^day,operation,calls,units\r\n.*fetch-bulk-users,/s,
    );
    await open('Keys');
    await page
      .getByRole('row', { name: /website/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByLabel('Type website').fill('website');
    await page
      .getByRole('row', { name: /website/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page
      .getByRole('row', { name: /website/ })
      .getByText('Revoked')
      .waitFor();
    const read = () => fetch(`${network.url}/v2/social/user/bulk/?fids=1`, { headers: { 'x-api-key': secret } });
    await expect.poll(async () => (await read()).status).toBe(401);
  });

  test('approve a signer, cast, and see the cast', async () => {
    await open('Signers');
    await page.getByRole('button', { name: 'Create a signer' }).click();
    await page.getByLabel('Account that approves').fill(String(FIDS.carol));
    await page.getByRole('button', { name: 'Approve as this account' }).click();
    await page.getByRole('heading', { name: '1 signer can write' }).waitFor();
    await page.getByLabel('Text').fill(`Said from the console. ${HOSTILE}`);
    await page.getByRole('button', { name: 'Cast', exact: true }).click();
    await page.getByRole('link', { name: 'See the cast' }).click();
    await page.getByText('Said from the console.').first().waitFor();
    await page.goto(`${network.url}/console/people/${FIDS.carol}`);
    await page.getByText('Said from the console.').first().waitFor();
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
  });

  test('a webhook fails against a dead receiver, and is replayed when the receiver is mended', async () => {
    let isMended = false;
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(isMended ? 200 : 503).end('{}');
    });
    try {
      await open('Webhooks');
      await page.getByRole('button', { name: 'Create a webhook' }).click();
      await page.getByLabel('Name', { exact: true }).fill('orders');
      await page.getByLabel('Send to').fill(`${receiver.url}/events`);
      await page.getByRole('button', { name: 'Create the webhook' }).click();
      await page.getByRole('link', { name: /orders/ }).click();
      await page.getByText('No attempt yet').waitFor();
      await network.app.core.ingest.submit([seeded.bob.cast({ text: 'for the receiver' }).item], {
        source: 'local',
        announce: true,
      });
      const again = page.getByRole('button', { name: 'Read again' });
      await expect
        .poll(
          async () => {
            await again.click();
            return page.getByRole('cell', { name: 'Failed' }).count();
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBeGreaterThan(0);
      await page.getByRole('heading', { name: /did not arrive/ }).waitFor();
      await page.goto(`${network.url}/console/`);
      await page.getByRole('link', { name: 'Webhooks 1 need a look' }).waitFor();
      await page.getByRole('link', { name: 'See why' }).click();
      await page.getByRole('heading', { name: /did not arrive/ }).waitFor();
      isMended = true;
      const before = receiver.received.length;
      await page.getByRole('button', { name: 'Replay what failed' }).click();
      await page.getByRole('status').first().waitFor();
      await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(before);
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('The receiver answered with 200.').waitFor();
    } finally {
      await receiver.stop();
    }
  });

  test('what happens shows as it happens, and holds still when it is paused', async () => {
    await open('Live');
    await page.locator('.chip', { hasText: 'Live' }).waitFor();
    const say = (text: string) =>
      network.app.core.ingest.submit([seeded.dan.cast({ text }).item], { source: 'local', announce: true });
    await say('seen as it happens');
    await page.getByText('“seen as it happens”').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await say('while it is paused');
    await page.getByText('1 new').waitFor();
    expect(await page.getByText('“while it is paused”').count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('“while it is paused”').waitFor();
  });

  test('any operation is sent from a form, and its address keeps what was typed', async () => {
    await open('Requests');
    await page.getByLabel('Operation').fill('users by fid');
    await page.getByRole('link', { name: /Get users by FID/ }).click();
    await page.getByLabel('fids required').fill(String(FIDS.erin));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('"username": "erin"').waitFor();
    expect(page.url()).toContain(`fids=${FIDS.erin}`);
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByText('curl -s -H "x-api-key: $CASTELLAN_KEY"').waitFor();
  });

  test('an organization is made, suspended, and let in again', async () => {
    await open('Organizations');
    await page.getByRole('button', { name: 'Make an organization' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Harbor Labs');
    await page.getByRole('button', { name: 'Make the organization' }).click();
    const row = page.getByRole('row', { name: /Harbor Labs/ });
    await row.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Type Harbor Labs').fill('Harbor Labs');
    await row.getByRole('button', { name: 'Suspend' }).click();
    await row.getByText('Suspended').waitFor();
    await row.getByRole('button', { name: 'Let it in again' }).click();
    await row.getByText('Active').waitFor();
  });

  test('an item that the database refused is found, and stored once the cause is gone', async () => {
    const { db, ingest } = network.app.core;
    const poison = seeded.frank.cast({ text: 'poison' });
    const policy = { signal: AbortSignal.timeout(20_000), log: createLog('silent'), firstPauseMs: 1 };
    await db.run(`alter table "cast" add constraint no_poison check (text <> 'poison')`);
    try {
      await submitWithRetry(ingest, [poison.item], { source: 'hub', announce: false }, policy);
      await page.goto(`${network.url}/console/`);
      await page.getByText('1 item of hubs and files').waitFor();
      await open('Ingest');
      await page.getByRole('heading', { name: '1 item could not be stored' }).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Refused again').waitFor();
    } finally {
      await db.run('alter table "cast" drop constraint no_poison');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Everything that came was stored' }).waitFor();
    expect((await network.get(`/v2/social/cast/?type=hash&identifier=${toHex(poison.hash)}`)).status).toBe(200);
  });

  test('a failed request is found by its id, with the reason and the same as curl', async () => {
    const failed = await network.get('/v2/social/user/bulk/?fids=nobody&api_key=hidden');
    await open('Request log');
    await page.getByLabel('Request id').fill(failed.headers.get('x-request-id') as string);
    await page.getByRole('button', { name: 'Find' }).click();
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read again' }).click();
        return page.getByRole('button', { name: /^Open / }).count();
      })
      .toBe(1);
    await page.getByRole('button', { name: /^Open / }).click();
    await page.getByText(failed.body.message).waitFor();
    await page.getByText('fids=nobody&api_key=***').waitFor();
    expect(page.url()).toContain('request_id=');
    await page.reload();
    await page.getByText(failed.body.message).waitFor();
  });

  test('the configuration in force is found by words, and Health says what failed', async () => {
    await open('Configuration');
    await page.getByLabel('Variable').fill('quota mode');
    await page.getByText('observe', { exact: true }).first().waitFor();
    expect(page.url()).toContain('words=quota');
    expect(await page.getByText('CASTELLAN_REQUEST_LOG').count()).toBe(0);
    await open('Health');
    await page.getByText('No check failed.').waitFor();
  });

  test('an upgrade shows what it costs, and is made', async () => {
    await open('Plan');
    await page.getByRole('heading', { name: /has the plan Free/i }).waitFor();
    await page.getByLabel('New plan').selectOption('starter');
    await page.getByRole('button', { name: 'Preview the change' }).click();
    await page.getByText('Charged now').waitFor();
    await page.getByRole('button', { name: /Upgrade and pay/ }).click();
    await page.getByRole('heading', { name: /has the plan Starter/i }).waitFor();
  });

  const PAGES = [
    '',
    'people',
    `people/${FIDS.alice}`,
    'channels',
    'live',
    'requests',
    'requests/publish-cast',
    'keys',
    'webhooks',
    'write',
    'log',
    'usage',
    'plan',
    'health',
    'ingest',
    'deliveries',
    'jobs',
    'configuration',
    'organizations',
    'nowhere',
  ];
  test.each(PAGES)('axe finds nothing serious on /console/%s, and nothing is wider than the screen', async (path) => {
    await page.goto(`${network.url}/console/${path}`);
    await expectGoodLook(page, path || 'home');
  });

  test('signing out ends the session', async () => {
    await page.goto(`${network.url}/console/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('not known here').waitFor();
    await expectGoodLook(page, 'sign-in');
  });
});
