import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
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
/** What bundled packages of the older kind of module expect. */
const MODULE_HEAD = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const __dirname = import.meta.dirname;`;
const PHRASE = 'test test test test test test test test test test test junk';
const APP = 5_000;
const USER = 5_001;
const HOST = 5_002;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  readonly body: any;
}
interface AppRequest {
  readonly path: string;
  /** Of a POST; null: none. */
  readonly body?: unknown;
}

describe.skipIf(withoutPrograms)('the app that @neynar/create-farcaster-mini-app makes', () => {
  let world: CampaignNetwork;
  let network: Network;
  let host: FakeHost;
  let folder: string;
  let environment: string;
  /** The routes by their paths below `/api/`, and whether each answered. */
  const answered: Record<string, boolean> = {};

  /**
   * Runs the generator, which clones the template from GitHub and installs 1 GB of packages: git gets the template of this
   * repository, and npm the packages that are installed here.
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
    cpSync(join(PROGRAMS, 'mini-app-template'), join(folder, 'template'), { recursive: true });
    git(join(folder, 'template'), 'init', '-q', '-b', 'main');
    git(join(folder, 'template'), 'add', '.');
    git(join(folder, 'template'), 'commit', '-qm', 'Template');
    mkdirSync(join(folder, 'bin'));
    const npm = join(folder, 'bin', 'npm');
    writeFileSync(npm, `#!/bin/sh\nif [ "$1" = install ]; then ln -s '${PROGRAMS}node_modules' node_modules; fi\n`);
    chmodSync(npm, 0o755);
    const generator = join(PROGRAMS, 'node_modules/@neynar/create-farcaster-mini-app/bin/index.js');
    const args = ['-y', '-p', 'made', '-k', network.apiKey, '--seed-phrase', PHRASE];
    await runRedirected(network.url, [generator, ...args], { cwd: folder, environment: gitEnvironment });
    return join(folder, 'made');
  };

  /** Bundles the routes as Next does, each in a file of its own. */
  const bundleRoutes = async (app: string): Promise<void> => {
    const routes = readdirSync(join(app, 'src/app'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('route.ts'))
      .map((file) => join(app, 'src/app', file));
    expect(routes.length).toBeGreaterThan(7);
    await build({
      entryPoints: routes,
      outbase: join(app, 'src/app'),
      outdir: join(folder, 'routes'),
      outExtension: { '.js': '.mjs' },
      alias: { '~': join(app, 'src') },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      banner: { js: MODULE_HEAD },
      logLevel: 'error',
    });
  };

  /** Sends requests to the routes one after the other. */
  const ask = async <Name extends string>(
    requests: Readonly<Record<Name, AppRequest>>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<Name, Answer>>> => {
    const input = { environment, routes: join(folder, 'routes'), requests };
    const variables = { NEXT_PUBLIC_URL: `http://${world.miniApp.domain}`, ...more };
    const made = await runProgram('programs/mini-app.mjs', network.url, input, variables);
    const answers = Object.entries(requests as Readonly<Record<string, AppRequest>>).map(([name, { path }]) => {
      const outcome = made[name];
      const answer = (
        outcome !== undefined && 'value' in outcome ? outcome.value : { status: 0, body: outcome }
      ) as Answer;
      const [, route = ''] = path.split(/^\/api\/|\?/);
      answered[route] ||= answer.status === 200;
      return [name, answer];
    });
    return Object.fromEntries(answers) as Readonly<Record<Name, Answer>>;
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
    await bundleRoutes(app);
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
    const { nonce } = (await ask({ nonce: { path: '/api/auth/nonce' } })).nonce.body;
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
    const signedIn = `${new URLSearchParams({ message, signature })}`;
    const first = await ask({
      before: { path: `/api/auth/signers?${signedIn}` },
      made: { path: '/api/auth/signer', body: null },
    });
    expect(first.before).toEqual({ status: 200, body: { signers: [] } });
    expect(first.made).toMatchObject({ status: 200, body: { status: 'generated' } });
    const { signer_uuid: signerUuid, public_key: publicKey } = first.made.body;
    const asked = await ask({
      key: { path: '/api/auth/signer/signed_key', body: { signerUuid, publicKey } },
      pending: { path: `/api/auth/signer?signerUuid=${signerUuid}` },
    });
    const approval = { status: 'pending_approval', signer_approval_url: expect.stringMatching(/^https?:/) };
    expect(asked.key).toMatchObject({ status: 200, body: approval });
    expect(asked.pending).toMatchObject({ status: 200, body: approval });
    await addKey(network, USER, Buffer.from(publicKey.slice(2), 'hex'), { requestFid: APP });
    const signer = { signer_uuid: signerUuid, status: 'approved', fid: USER };
    const approved = await ask({
      polled: { path: `/api/auth/signer?signerUuid=${signerUuid}` },
      signers: { path: `/api/auth/signers?${signedIn}` },
      session: { path: `/api/auth/session-signers?${signedIn}` },
      users: { path: `/api/users?fids=${USER},${APP}` },
      friends: { path: `/api/best-friends?fid=${USER}` },
    });
    expect(approved.polled).toMatchObject({ status: 200, body: signer });
    expect(approved.signers).toMatchObject({ status: 200, body: { signers: [signer] } });
    expect(approved.session).toMatchObject({ status: 200, body: { signers: [signer], user: { fid: USER } } });
    expect(approved.users).toMatchObject({ status: 200, body: { users: [{ fid: USER }, { fid: APP }] } });
    expect(approved.friends).toEqual({ status: 200, body: { bestFriends: [] } });
  });

  test('it notifies who added it: through the service, and by itself where it handles the events', async () => {
    const { fid, sign } = await hostUser(network, USER + 1, HOST);
    const notificationDetails = { url: `${host.url}/notify`, token: `token of ${fid}` };
    const send = { send: { path: '/api/send-notification', body: { fid, notificationDetails } } };
    // Without a token nobody is notified, which the route does not say.
    expect((await ask(send)).send).toEqual({ status: 200, body: { success: true } });
    expect(host.heard).toEqual([]);
    // The address of events in the app's manifest is the vendor's.
    const added = sign({ event: 'miniapp_added', notificationDetails });
    const event = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(added) };
    expect((await fetch(`${network.url}${EVENT_PATH}`, event)).status).toBe(200);
    expect((await ask(send)).send).toEqual({ status: 200, body: { success: true } });
    expect(host.heard).toMatchObject([{ title: 'Test notification', tokens: [`token of ${fid}`] }]);

    const own = { NEYNAR_CLIENT_ID: '' };
    const removed = sign({ event: 'miniapp_removed' });
    const forged = { ...removed, payload: added.payload };
    const made = await ask(
      {
        added: { path: '/api/webhook', body: added },
        removed: { path: '/api/webhook', body: removed },
        forged: { path: '/api/webhook', body: forged },
      },
      own,
    );
    expect(made.added).toEqual({ status: 200, body: { success: true } });
    expect(host.heard.slice(1)).toMatchObject([{ title: 'Welcome to made', tokens: [`token of ${fid}`] }]);
    expect(made.removed).toEqual({ status: 200, body: { success: true } });
    expect(made.forged).toMatchObject({ status: 400, body: { success: false } });
  });

  test('all routes that ask the vendor were called', () => {
    const routes = Object.fromEntries(Object.entries(answered).sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(Object.keys(routes)).toHaveLength(9);
    recordRun('@neynar/create-farcaster-mini-app', { app_by_api_key: environment !== '', ...routes });
  });
});
