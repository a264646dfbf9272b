import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mnemonicToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_APP_ID } from '../../src/access/key.js';
import {
  answerLists,
  type CampaignNetwork,
  EVENT_PATH,
  type FakeHost,
  startCampaignNetwork,
  startHost,
} from '../support/campaign.js';
import { hostUser } from '../support/host-user.js';
import type { Network } from '../support/network.js';
import { addKey, registerAccount, registerHolder } from '../support/signer.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';
import { runProgram, runRedirected } from './run-program.js';

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const REPOSITORY = 'https://github.com/neynarxyz/create-farcaster-mini-app.git';
/** What the generator changes of the template that it clones from GitHub: none of its code is needed for that. */
const TEMPLATE: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "template", "version": "0.0.0" }',
  '.env.example': '',
  'README.md': '# Template',
};
const PHRASE = 'test test test test test test test test test test test junk';
const APP = 5_000;
const USER = 5_001;
const HOST = 5_002;

interface RouteRequest {
  readonly route: string;
  readonly [input: string]: unknown;
}

describe.skipIf(withoutPrograms)('the app that @neynar/create-farcaster-mini-app makes', () => {
  let world: CampaignNetwork;
  let network: Network;
  let host: FakeHost;
  let folder: string;
  let environment: string;
  /** The routes by their paths below `/api/`, and whether the service answered each. */
  const answered: Record<string, boolean> = {};

  /**
   * Runs the generator, which clones a template from GitHub and installs 1 GB of packages: here git gets a template without
   * code, and npm does nothing.
   */
  const generate = async (): Promise<string> => {
    const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, env: gitEnvironment });
    const gitEnvironment = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      GIT_AUTHOR_NAME: 'test',
      GIT_AUTHOR_EMAIL: 'test@test.example',
      GIT_COMMITTER_NAME: 'test',
      GIT_COMMITTER_EMAIL: 'test@test.example',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.file://${join(folder, 'template')}.insteadOf`,
      GIT_CONFIG_VALUE_0: REPOSITORY,
    };
    mkdirSync(join(folder, 'template'));
    for (const [name, content] of Object.entries(TEMPLATE)) writeFileSync(join(folder, 'template', name), content);
    git(join(folder, 'template'), 'init', '-q', '-b', 'main');
    git(join(folder, 'template'), 'add', '.');
    git(join(folder, 'template'), 'commit', '-qm', 'Template');
    mkdirSync(join(folder, 'bin'));
    const npm = join(folder, 'bin', 'npm');
    writeFileSync(npm, '#!/bin/sh\n');
    chmodSync(npm, 0o755);
    const generator = join(PROGRAMS, 'node_modules/@neynar/create-farcaster-mini-app/bin/index.js');
    const args = ['-y', '-p', 'made', '-k', network.apiKey, '--seed-phrase', PHRASE];
    await runRedirected(network.url, [generator, ...args], { cwd: folder, environment: gitEnvironment });
    return join(folder, 'made');
  };

  /** Makes the calls of routes one after the other. */
  const ask = async <Name extends string>(
    requests: Readonly<Record<Name, RouteRequest>>,
    // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  ): Promise<Readonly<Record<Name, any>>> => {
    const variables = { NEXT_PUBLIC_URL: `http://${world.miniApp.domain}` };
    const made = await runProgram('programs/mini-app.mjs', network.url, { environment, requests }, variables);
    const answers = Object.entries(requests as Readonly<Record<string, RouteRequest>>).map(([name, { route }]) => {
      const outcome = made[name];
      const isAnswered = outcome !== undefined && 'value' in outcome;
      answered[route] ||= isAnswered;
      return [name, isAnswered ? outcome.value : outcome];
    });
    return Object.fromEntries(answers);
  };

  beforeAll(async () => {
    requirePrograms();
    folder = mkdtempSync(join(tmpdir(), 'castellan-mini-app-'));
    world = await startCampaignNetwork();
    network = world.network;
    host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
    await registerHolder(network, APP, mnemonicToAccount(PHRASE).address);
    const app = await generate();
    environment = join(app, '.env.local');
  });
  afterAll(async () => {
    await host?.stop();
    await world?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  test('the generator finds the app of the key', () => {
    const written = readFileSync(environment, 'utf8');
    expect(written).toContain(`NEYNAR_CLIENT_ID="${DEFAULT_APP_ID}"`);
    expect(written).toContain(`NEYNAR_API_KEY="${network.apiKey}"`);
  });

  test('a user signs in, approves a signer, and the same message and signature show it', async () => {
    const { account } = await registerAccount(network, USER);
    const { nonce } = (await ask({ nonce: { route: 'auth/nonce' } })).nonce;
    const message = createSiweMessage({
      address: account.address,
      chainId: 10,
      domain: 'localhost',
      nonce,
      uri: 'http://localhost:3000',
      version: '1',
      statement: 'Farcaster Auth',
      resources: [`farcaster://fid/${USER}`],
    });
    const signature = await account.signMessage({ message });
    const signedIn = { message, signature };
    const first = await ask({
      before: { route: 'auth/signers', ...signedIn },
      made: { route: 'auth/signer (POST)' },
    });
    expect(first.before).toEqual({ signers: [] });
    expect(first.made).toMatchObject({ status: 'generated' });
    const { signer_uuid: signerUuid, public_key: publicKey } = first.made;
    const asked = await ask({
      key: { route: 'auth/signer/signed_key', signerUuid, publicKey },
      pending: { route: 'auth/signer', signerUuid },
    });
    const approval = { status: 'pending_approval', signer_approval_url: expect.stringMatching(/^https?:/) };
    expect(asked.key).toMatchObject(approval);
    expect(asked.pending).toMatchObject(approval);
    await addKey(network, USER, Buffer.from(publicKey.slice(2), 'hex'), { requestFid: APP });
    const signer = { signer_uuid: signerUuid, status: 'approved', fid: USER };
    const approved = await ask({
      polled: { route: 'auth/signer', signerUuid },
      signers: { route: 'auth/signers', ...signedIn },
      session: { route: 'auth/session-signers', ...signedIn },
      users: { route: 'users', fids: [USER, APP] },
      friends: { route: 'best-friends', fid: USER },
    });
    expect(approved.polled).toMatchObject(signer);
    expect(approved.signers).toMatchObject({ signers: [signer] });
    expect(approved.session).toMatchObject({ signers: [signer], user: { fid: USER } });
    expect(approved.users).toMatchObject({ users: [{ fid: USER }, { fid: APP }] });
    expect(approved.friends).toMatchObject({ users: [] });
  });

  test('it notifies who added it, and reads the events of hosts itself', async () => {
    const { fid, sign } = await hostUser(network, USER + 1, HOST);
    const notificationDetails = { url: `${host.url}/notify`, token: `token of ${fid}` };
    const send = { sent: { route: 'send-notification', fid } };
    // Without a token nobody is notified.
    expect((await ask(send)).sent).toEqual({ deliveries: 0 });
    expect(host.heard).toEqual([]);
    const added = sign({ event: 'miniapp_added', notificationDetails });
    const event = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(added) };
    expect((await fetch(`${network.url}${EVENT_PATH}`, event)).status).toBe(200);
    expect((await ask(send)).sent).toEqual({ deliveries: 1 });
    expect(host.heard).toMatchObject([{ title: 'Test notification', tokens: [`token of ${fid}`] }]);

    const removed = sign({ event: 'miniapp_removed' });
    const made = await ask({
      added: { route: 'webhook', signed: added },
      removed: { route: 'webhook', signed: removed },
      forged: { route: 'webhook', signed: { ...removed, payload: added.payload } },
    });
    expect(made.added).toMatchObject({ fid, event: { event: 'miniapp_added' } });
    expect(made.removed).toMatchObject({ fid, event: { event: 'miniapp_removed' } });
    expect(made.forged).toMatchObject({ error: expect.stringContaining('signature') });
  });

  test('all routes that ask the vendor were called', () => {
    const routes = Object.fromEntries(Object.entries(answered).sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(Object.keys(routes)).toHaveLength(10);
    recordRun('@neynar/create-farcaster-mini-app', { app_by_api_key: environment !== '', ...routes });
  });
});
