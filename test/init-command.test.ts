import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../src/config/config.js';
import { buildProgram, castellan, TestWorkspace } from './support/castellan.js';

vi.setConfig({ testTimeout: 30_000 });

const work = new TestWorkspace();
beforeAll(buildProgram);
afterAll(() => work.clear());

/** Nothing listens there. */
const DATABASE = 'postgres://castellan:secretword@127.0.0.1:1/castellan';
const options = (folder: string, more: readonly string[] = ['--no-check']) => [
  ...[
    'init',
    '--folder',
    folder,
    '--domain',
    'social.example',
    '--database',
    DATABASE,
    '--hub',
    'grpcs://hub.example:1',
  ],
  ...more,
];

test('the files of an installation are written, and its variables start a service', async () => {
  const folder = join(work.folder, 'whole');
  const { code, out } = await castellan(options(folder), {});
  expect(code).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['.env', 'Caddyfile', 'castellan.service']);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  const variables = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  const { publicUrl, database, hub, trustedProxies, masterKey } = loadConfig('serve', variables);
  expect({ publicUrl, hub, trustedProxies }).toEqual({
    publicUrl: 'https://social.example',
    hub: { address: 'hub.example:1', tls: true },
    trustedProxies: ['127.0.0.1', '::1'],
  });
  expect('url' in database && database.url.reveal()).toBe(DATABASE);
  expect(masterKey.weak).toBe(false);
  const unit = readFileSync(join(folder, 'castellan.service'), 'utf8');
  expect(unit).toContain(`EnvironmentFile=${folder}/.env`);
  expect(unit).toMatch(/^ExecStart=\/\S+ \/\S+\/dist\/cli\/main\.js serve$/m);
  expect(readFileSync(join(folder, 'Caddyfile'), 'utf8')).toContain('social.example {');
  expect(out).toContain('castellan migrate');
  expect(out).not.toContain('secretword');

  const before = readFileSync(join(folder, '.env'), 'utf8');
  const again = await castellan(options(folder), {});
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(again.err).toMatch(/^In .* there is already \.env and Caddyfile and castellan\.service: move it away/);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(before);
});

test('nothing is written if the database cannot be reached, and the message says what to do', async () => {
  const folder = join(work.folder, 'unreached');
  const { code, err } = await castellan(options(folder, ['--hub', 'none']), {});
  expect(code).toBe(1);
  expect(err).toContain('database does not answer');
  expect(err).toContain('Check that it runs, DATABASE_URL, and the rights of its user.');
  expect(err).toContain('--no-check');
  expect(err).not.toContain('secretword');
  expect(existsSync(folder)).toBe(false);
});

test('of containers, the hub is checked', async () => {
  const folder = join(work.folder, 'unreached-hub');
  const args = ['--domain', 'social.example', '--run', 'compose', '--hub', 'grpc://127.0.0.1:1'];
  const { code, err } = await castellan(['init', '--folder', folder, ...args], {});
  expect(err).toContain('hub 127.0.0.1:1 does not answer');
  expect(code).toBe(1);
  expect(existsSync(folder)).toBe(false);
});

test('containers bring a database, and get a password for it', async () => {
  const folder = join(work.folder, 'containers');
  const args = [
    'init',
    '--folder',
    folder,
    '--domain',
    'https://Social.example/',
    '--run',
    'compose',
    '--proxy',
    'nginx',
  ];
  expect(await castellan(args, {})).toMatchObject({ code: 0 });
  expect(readdirSync(folder).sort()).toEqual(['.env', 'compose.yaml', 'nginx.conf']);
  const variables = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  expect(variables).toMatchObject({ PUBLIC_URL: 'https://social.example' });
  expect(variables.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
  expect(variables).not.toHaveProperty('DATABASE_URL');
  expect(readFileSync(join(folder, 'nginx.conf'), 'utf8')).toContain('server_name social.example;');
});

test.each([
  [['--domain', 'x; rm'], '--domain takes the name of a host, like castellan.example, not "x; rm".'],
  [['--database', 'mysql://db'], '--database takes postgres://user:password@host:5432/database, not "mysql://db".'],
  [['--hub', 'hub'], '--hub takes grpcs://host:port, grpc://host:port or none, not "hub".'],
  [['--proxy', 'apache'], '--proxy takes caddy, nginx or none, not "apache".'],
  [['--run', 'compose'], '--database and --run compose exclude each other'],
  [['--database', "postgres://a:'b@db/c"], 'write it percent-encoded'],
])('an answer that means nothing is refused: %j', async (more, message) => {
  const folder = join(work.folder, 'refused');
  const { code, err } = await castellan(options(folder, ['--no-check', ...more]), {});
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(existsSync(folder)).toBe(false);
});

test('what is missing is named where nobody can be asked', async () => {
  const { code, err } = await castellan(['init', '--domain', 'social.example'], {}, work.folder);
  expect({ code, err }).toEqual({
    code: 2,
    err: '--database is required: postgres://user:password@host:5432/database.\n',
  });
});

test('commands read .env in their folder, a given file instead, and the environment above both', async () => {
  const folder = join(work.folder, 'variables');
  await castellan(options(folder, ['--no-check', '--hub', 'none']), {});
  const reached = async (args: readonly string[], environment: Record<string, string> = {}) => {
    const { err } = await castellan(['audit', ...args], environment, folder);
    return /127\.0\.0\.1:\d+/.exec(err)?.[0];
  };
  expect(await reached([])).toBe('127.0.0.1:1');
  writeFileSync(join(folder, 'other'), 'DATABASE_URL=postgres://castellan@127.0.0.1:2/castellan\n');
  expect(await reached(['--env-file', 'other'])).toBe('127.0.0.1:2');
  expect(await reached(['--env-file=other'])).toBe('127.0.0.1:2');
  const environment = { DATABASE_URL: 'postgres://castellan@127.0.0.1:3/castellan' };
  expect(await reached(['--env-file', 'other'], environment)).toBe('127.0.0.1:3');
});

test('an old Node.js is refused in words, before anything is loaded', async () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.8'})";
  const { code, err } = await castellan(['--help'], { NODE_OPTIONS: `--import=${old}` });
  expect(code).toBe(1);
  expect(err).toMatch(/^Castellan needs Node\.js 20\.19 or newer, and this is v/);
});
