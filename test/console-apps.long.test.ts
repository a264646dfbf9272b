import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { toHex } from '../src/hex.js';
import { createSecondApp } from './support/app.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.skipIf(!hasBrowser)('the console, as the maker of an app uses it', () => {
  let network: Network;
  let seeded: Seeded;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, { addLocalKey });
    seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems).toEqual([]);
  });

  const countsOf = async (hash: string) => {
    const { body } = await network.get(`/v2/social/cast/?type=hash&identifier=${hash}&viewer_fid=${FIDS.heidi}`);
    const { cast } = body as unknown as {
      cast: { reactions: { likes_count: number; recasts_count: number }; viewer_context: object };
    };
    return { ...cast.viewer_context, likes: cast.reactions.likes_count, recasts: cast.reactions.recasts_count };
  };

  test('like, recast and reply as an account that is chosen with one click, and follow', async () => {
    const hash = toHex(seeded.casts.hello.hash);
    const before = await countsOf(hash);
    await page.goto(`${network.url}/console/casts/${hash}`);
    const cast = page.locator('article.here');
    await cast.getByTitle('Like', { exact: true }).click();
    await page.getByText('Choose who acts first.').waitFor();
    await page.getByLabel('Name or number of the account').fill('heidi');
    await page.getByRole('button', { name: /@heidi/ }).click();
    await page.getByRole('button', { name: /^Act as Heidi/i }).waitFor();
    expect(await page.getByText('Choose who acts first.').count()).toBe(0);

    await cast.getByTitle('Like', { exact: true }).click();
    await cast.getByTitle('Take the like back').waitFor();
    await cast.getByTitle('Recast', { exact: true }).click();
    await cast.getByTitle('Take the recast back').waitFor();
    const after = { liked: true, recasted: true, likes: before.likes + 1, recasts: before.recasts + 1 };
    expect(await countsOf(hash)).toEqual(after);
    expect(await cast.locator('.marks').textContent()).toContain(`${after.likes} like`);
    await cast.getByTitle('Take the like back').click();
    await cast.getByTitle('Like', { exact: true }).waitFor();
    expect(await countsOf(hash)).toEqual({ ...after, liked: false, likes: before.likes });

    await cast.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByLabel('Reply to alice').fill('Said in reply from the console.');
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await page.locator('.reply').getByText('Said in reply from the console.').waitFor();

    // The choice stays when the page is loaded again.
    await page.goto(`${network.url}/console/people/${FIDS.grace}`);
    await page.getByRole('button', { name: /^Act as Heidi/i }).waitFor();
    const followers = page.locator('.facts-row span', { hasText: /follower/ }).locator('b');
    const count = Number(await followers.textContent());
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Unfollow' }).waitFor();
    expect(Number(await followers.textContent())).toBe(count + 1);
    const { body } = await network.get(`/v2/social/user/bulk/?fids=${FIDS.grace}&viewer_fid=${FIDS.heidi}`);
    expect(body).toMatchObject({ users: [{ viewer_context: { following: true }, follower_count: count + 1 }] });
  });

  test('on a local network every account is found, by name and by number', async () => {
    await network.sql(
      `insert into account (fid, username, display_name, registered_at)
       select n, 'crew' || n, 'Crew of the ship', now() from generate_series(1001, 1200) n`,
    );
    await page.goto(`${network.url}/console/people`);
    await page.getByRole('button', { name: /^Act as/ }).click();
    const field = page.getByLabel('Name or number of the account');
    await field.fill('crew1200');
    await page.getByRole('button', { name: /@crew1200/ }).waitFor();
    await field.fill('no such name');
    await page.getByText('No other account has a name like this.').waitFor();
    await field.fill('1150');
    await page.getByRole('button', { name: /@crew1150/ }).click();
    await page.getByRole('button', { name: /^Act as Crew of the ship/ }).waitFor();
    await page.getByRole('button', { name: /^Act as/ }).click();
    await page.getByRole('button', { name: /@heidi/ }).click();
    await page.getByRole('button', { name: /^Act as Heidi/ }).waitFor();
  });

  test('a signer that is none of the newest hundred still acts', async () => {
    const { appId } = await network.app.services.authenticator.authenticate(network.apiKey);
    await network.sql(
      `insert into managed_signer (id, app_id, public_key, sealed_seed, permissions, created_at)
       select gen_random_uuid(), $1, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', '{WRITE_ALL}', now() + interval '1 hour'
         from generate_series(1, 120) n`,
      [appId],
    );
    await page.goto(`${network.url}/console/casts/${toHex(seeded.casts.deepReply.hash)}`);
    await page.getByRole('button', { name: /^Act as Heidi/ }).click();
    await page
      .locator('.menu')
      .getByRole('button', { name: /@heidi/ })
      .waitFor();
    await page.keyboard.press('Escape');
    const cast = page.locator('article.here');
    await cast.getByTitle('Like', { exact: true }).click();
    await cast.getByTitle('Take the like back').waitFor();
    await open('Signers');
    await page.getByRole('heading', { name: '2 signers can write' }).waitFor();
    await page.getByRole('heading', { name: 'The newest 100 signers' }).waitFor();
  });

  test('what the service refuses is said beside the button, in its words', async () => {
    await page.goto(`${network.url}/console/casts/${toHex(seeded.casts.hello.hash)}`);
    const cast = page.locator('article.here');
    await cast.getByTitle('Like', { exact: true }).waitFor();
    await cast.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByLabel('Reply to alice').fill('x'.repeat(2_000));
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await cast.getByRole('alert').waitFor();
    expect(await cast.getByRole('alert').textContent()).toMatch(/text/i);
    expect(await page.getByLabel('Reply to alice').inputValue()).toHaveLength(2_000);
  });

  const open = (section: string): Promise<void> =>
    page.getByRole('complementary').getByRole('link', { name: section, exact: true }).click();

  test('the mini app of the app, the faults of other manifests, and what became of notifications', async () => {
    await open('Mini apps');
    await page.getByText('This app has no mini app yet').waitFor();
    const { appId } = await network.app.services.authenticator.authenticate(network.apiKey);
    await network.sql('insert into mini_app (app_id, domain) values ($1, $2)', [appId, 'own.example']);
    await network.sql(
      `insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
       select $1, n, 1, 'https://host.example/', 'token-' || n, case when n < 3 then 'enabled' else 'disabled' end, '{}', now(), now()
         from generate_series(1, 3) n`,
      [appId],
    );
    await network.sql(
      `insert into catalog_domain (domain, found_at, fetched_at, next_fetch_at, failures, failure)
       values ('broken.example', now(), now(), now() + interval '1 hour', 3, 'The manifest is no JSON.')`,
    );
    await network.sql(
      `insert into campaign (id, app_id, body_digest, title, body, target_url, status, token_count, disabled_count,
                             client_fids, result, created_at, completed_at)
       values (gen_random_uuid(), $1, '', 'Your move', 'Somebody answered you.', 'https://own.example/', 'completed', 2, 1,
               '{1}', '[{"clientFid":1,"state":"delivered","reason":null,"count":1},{"clientFid":1,"state":"rate_limited","reason":null,"count":1}]',
               now(), now())`,
      [appId],
    );
    await page.reload();
    await page.getByRole('heading', { name: 'own.example may notify 2 users' }).waitFor();
    await page.getByText('1 turned it off, 0 invalid').waitFor();
    expect(await page.content()).not.toContain('token-1');
    await page.getByRole('link', { name: 'Manifests with faults' }).click();
    await page.getByRole('row', { name: /broken\.example.*The manifest is no JSON\..*3/ }).waitFor();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('row', { name: /Your move.*Sent 2 1 1 1 rate_limited 0/ }).waitFor();
    // The domain has no manifest here, which the service says before it sends anything.
    await page.getByRole('button', { name: 'Notify its users' }).click();
    await page.getByLabel('Title').fill('Your move');
    await page.getByLabel('Text').fill('Somebody answered you.');
    await page.getByRole('button', { name: 'Notify all who allowed it' }).click();
    await page.getByText('This goes to all users of own.example who allowed it.').waitFor();
    await page.getByLabel('Type own.example').fill('own.example');
    await page.getByRole('button', { name: 'Notify all of them' }).click();
    await page
      .getByRole('alert')
      .getByText(/manifest/)
      .waitFor();
  });

  test('wallets and collections of the organization, each with its state, and none of another', async () => {
    await open('Wallets');
    await page.getByText('Nothing pays for transactions yet').waitFor();
    await open('Collections');
    await page.getByText('Nothing was deployed').waitFor();
    const { organizationId } = await network.app.services.authenticator.authenticate(network.apiKey);
    const other = await createSecondApp(network);
    const [{ organization_id: otherId }] = (await network.sql('select organization_id from app where id = $1', [
      other.id,
    ])) as [{ organization_id: string }];
    const wallet =
      'insert into wallet (id, organization_id, name, address, sealed_key, created_at) values ($1, $2, $3, $4, $5, now())';
    const id = '00000000-0000-4000-8000-0000000000a1';
    await network.sql(wallet, [id, organizationId, 'payments', Buffer.alloc(20, 1), Buffer.alloc(4)]);
    if (otherId !== organizationId)
      await network.sql(wallet, [id.replace('a1', 'a2'), otherId, 'foreign', Buffer.alloc(20, 2), Buffer.alloc(4)]);
    await network.sql(
      `insert into collection (id, network, address, organization_id, wallet_id, config, created_at)
       values (gen_random_uuid(), 'base', $1, $2, $3, '{"name":"Harbour","symbol":"HRB"}', now())`,
      [Buffer.alloc(20, 3), organizationId, id],
    );
    await open('Wallets');
    await page.getByRole('row', { name: /payments.*Nothing waits/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '1 wallet, nothing waits' }).waitFor();
    await open('Collections');
    await page.getByRole('row', { name: /Harbour HRB base.*Deployed elsewhere/ }).waitFor();
  });

  test('subscriptions of an account', async () => {
    await open('Subscriptions');
    await page.getByRole('spinbutton', { name: 'Account' }).fill(String(FIDS.bob));
    await page.getByRole('button', { name: 'Read this account' }).click();
    await page.getByRole('heading', { name: `Subscriptions of account ${FIDS.bob}` }).waitFor();
    // No chain is configured here; what the operator has to set is said once.
    await page
      .getByRole('alert')
      .getByText(/CASTELLAN_RPC_BASE/)
      .waitFor();
  });

  test('a webhook is received by the service itself, with its signature checked', async () => {
    await open('Webhooks');
    await page.getByText('Nothing was received yet').waitFor();
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('inbox');
    await page.getByRole('button', { name: 'Receive it here' }).click();
    // The public address of a test service has another port.
    const { pathname } = new URL(await page.getByLabel('Send to').inputValue());
    const url = `${network.url}${pathname}`;
    await page.getByLabel('Send to').fill(url);
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('link', { name: /inbox/ }).waitFor();
    await network.app.core.ingest.submit([seeded.bob.cast({ text: 'for the inbox' }).item], {
      source: 'local',
      announce: true,
    });
    await page.locator('summary', { hasText: 'Signature checks' }).click();
    await page.getByText('x-service-event-id:').waitFor();
    await page.locator('.inbox .pre', { hasText: '"text": "for the inbox"' }).waitFor();
    const headers = { 'content-type': 'application/json' };
    const send = (body: object) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await send({ type: 'cast.created' })).status).toBe(200);
    await page.locator('summary', { hasText: 'Signature does not check' }).waitFor();
    for (let n = 0; n < 110; n++) await send({ n });
    const { body } = await network.get('/portal/webhook-inbox');
    const { requests } = body as unknown as { requests: { body: string }[] };
    expect(requests.map((one) => one.body)).toEqual(Array.from({ length: 100 }, (_, n) => `{"n":${109 - n}}`));
  });

  test('the form of a webhook shows while one types which of the newest events match', async () => {
    const say = (text: string) =>
      network.app.core.ingest.submit([seeded.grace.cast({ text }).item], { source: 'local', announce: true });
    const held: Route[] = [];
    for (const text of ['a quokka', 'an onion', 'Quokkas again']) await say(text);
    await open('Webhooks');
    await page.reload();
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByText('One of these is enough').waitFor();
    const preview = page.locator('.filter-preview');
    await preview.getByText(/^All of the last \d+ events of these kinds match\.$/).waitFor();
    await page.getByLabel('or casts with this text').fill('(?i)quokka');
    await preview.getByText(/^2 of the last \d+ events of these kinds match\.$/).waitFor();
    await preview.getByText('Quokkas again').waitFor();
    expect(await preview.getByText('an onion').count()).toBe(0);
    // Another condition adds casts: Grace said all three.
    await page.getByLabel('Casts of accounts').fill(String(FIDS.grace));
    await preview.getByText('an onion').waitFor();
    await page.getByLabel('Casts of accounts').fill('');
    await preview.getByText(/^2 of the last/).waitFor();
    // While an answer is under way, nothing is said about the former text.
    await page.route('**/portal/webhook-preview', (route) => void held.push(route));
    await page.getByLabel('or casts with this text').fill('(?i)onion');
    await preview.getByText('Looking for events.').waitFor();
    expect(await preview.getByText('Quokkas again').count()).toBe(0);
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.continue();
    await page.unroute('**/portal/webhook-preview');
    await preview.getByText(/^1 of the last/).waitFor();
    await page.getByLabel('or casts with this text').fill('(quokka');
    await preview.getByRole('alert').waitFor();
    await page.getByLabel('or casts with this text').fill('nobody says this');
    await preview.getByText(/^None of the last/).waitFor();
  });

  test('an account that is no number makes no webhook for every cast', async () => {
    await open('Webhooks');
    await page.reload();
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('of alice');
    await page.getByLabel('Send to').fill('https://bot.example/events');
    await page.getByLabel('or casts with this text').fill('');
    for (const text of ['alice', '0', ',']) {
      await page.getByLabel('Casts of accounts').fill(text);
      await page.getByRole('button', { name: 'Create the webhook' }).click();
      expect(await page.locator('#hook-authors:invalid').count()).toBe(1);
    }
    for (const text of ['', '2', '2, 3,', ' 2 3 ']) {
      await page.getByLabel('Casts of accounts').fill(text);
      expect(await page.locator('#hook-authors:invalid').count()).toBe(0);
    }
    const { body } = await network.get('/v2/social/webhook/list/');
    expect(JSON.stringify(body)).not.toContain('of alice');
  });

  test.each([
    'webhooks',
    'mini-apps',
    'mini-apps?tab=faults',
    'mini-apps?tab=campaigns',
    'wallets',
    'collections',
    'subscriptions',
  ])('axe finds nothing serious on /console/%s, and nothing is wider than the screen', async (path) => {
    await page.goto(`${network.url}/console/${path}`);
    await expectGoodLook(page, path);
  });
});
