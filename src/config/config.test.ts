import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig, loadStoreConfig } from './config.js';
import type { Environment } from './env.js';
import { ConfigError } from './reader.js';
import { MasterKey } from './secret.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MASTER_KEY = MasterKey.generate();
const serve = (environment: Environment) =>
  loadConfig('serve', { PUBLIC_URL: 'https://social.example', CASTELLAN_MASTER_KEY: MASTER_KEY, ...environment });
const dev = (environment: Environment = {}) => loadConfig('dev', { CASTELLAN_DATA_DIR: folder, ...environment });

const problemsOf = (load: () => unknown): string[] => {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((one) => one.variable);
    throw error;
  }
  return [];
};

describe('loadConfig', () => {
  it('has the documented defaults', () => {
    expect(serve({})).toMatchObject({
      profile: 'serve',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'https://social.example',
      hubHttpPort: undefined,
      hub: undefined,
      hubNetwork: 'mainnet',
      fids: undefined,
      apiKey: undefined,
      metrics: { host: '127.0.0.1', port: 9464 },
      rateLimit: { perMinute: undefined, store: { kind: 'memory' } },
      billing: {
        quotaMode: 'observe',
        plansFile: undefined,
        defaultPlan: 'free',
        payment: { provider: 'ledger', settlement: 'paid' },
      },
      logLevel: 'info',
    });
    expect(dev()).toMatchObject({ hubNetwork: 'devnet', publicUrl: 'http://127.0.0.1:3000' });
  });

  it('reports every problem at once, each under its variable', () => {
    const load = () =>
      loadConfig('serve', {
        PORT: '70000',
        DATABASE_URL: 'mysql://me:topsecret@host/db',
        HUB_URL: 'http://hub',
        HUB_NETWORK: 'moonnet',
        FIDS: '1,two',
        CASTELLAN_MASTER_KEY: 'topsecret',
        CASTELLAN_API_KEY: 'topsecret',
        LOG_LEVEL: 'loud',
        RPC_OPTIMISM: 'topsecret',
        RPC_ROBINHOOD: 'https://rpc.example/topsecret,wss://rpc.example/topsecret',
      });
    expect(problemsOf(load).sort()).toEqual(
      [
        'PORT',
        'PUBLIC_URL',
        'DATABASE_URL',
        'HUB_URL',
        'HUB_NETWORK',
        'FIDS',
        'CASTELLAN_MASTER_KEY',
        'CASTELLAN_API_KEY',
        'LOG_LEVEL',
        'RPC_OPTIMISM',
        'RPC_ROBINHOOD',
      ].sort(),
    );
    try {
      load();
    } catch (error) {
      expect(`${(error as Error).stack} ${inspect(error, { depth: 9 })}`).not.toContain('topsecret');
    }
  });

  it.each([
    [{ PUBLIC_URL: undefined }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'ftp://x.example' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://user:pass@x.example' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'x.example' }, 'PUBLIC_URL'],
    [{ CASTELLAN_MASTER_KEY: undefined }, 'CASTELLAN_MASTER_KEY'],
    [{ CASTELLAN_MASTER_KEY: '0'.repeat(64) }, 'CASTELLAN_MASTER_KEY'],
    [{ CASTELLAN_API_KEY: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }, 'CASTELLAN_API_KEY'],
    [{ CASTELLAN_API_KEY: 'with space and more characters 123' }, 'CASTELLAN_API_KEY'],
    [{ PORT: '0' }, 'PORT'],
    [{ PORT: '3000.5' }, 'PORT'],
    [{ PORT: '0x50' }, 'PORT'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT'],
    [{ HUB_HTTP_PORT: '9464' }, 'METRICS_PORT'],
    [{ HUB_HTTP_PORT: 'on' }, 'HUB_HTTP_PORT'],
    [{ HUB_URL: 'grpc://hub.example' }, 'HUB_URL'],
    [{ HUB_URL: 'hub.example:99999' }, 'HUB_URL'],
    [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE'],
    [{ FIDS: '0' }, 'FIDS'],
    [{ FIDS: ',' }, 'FIDS'],
    [{ FIDS_FILE: '/nowhere/fids' }, 'FIDS_FILE'],
    [{ RATE_LIMIT_PER_MINUTE: '-1' }, 'RATE_LIMIT_PER_MINUTE'],
    [{ FRAGMENT_CACHE_MB: '1e3' }, 'FRAGMENT_CACHE_MB'],
    [{ WIRE_NAMES: 'theirs' }, 'WIRE_NAMES'],
    [{ VERIFY_THREADS: '0' }, 'VERIFY_THREADS'],
    [{ READY_MAX_LAG_SECONDS: 'soon' }, 'READY_MAX_LAG_SECONDS'],
    [{ WRITE_TIMEOUT_SECONDS: '0' }, 'WRITE_TIMEOUT_SECONDS'],
    [{ TRUSTED_PROXIES: '10.0.0.1, proxy' }, 'TRUSTED_PROXIES'],
    [{ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, 'CASTELLAN_ALLOW_LOOPBACK_TARGETS'],
    [{ CASTELLAN_LOCAL_CHAIN: 'on' }, 'CASTELLAN_LOCAL_CHAIN'],
    [{ CASTELLAN_LOCAL_CHAIN: 'maybe' }, 'CASTELLAN_LOCAL_CHAIN'],
    [{ RPC_BASE: 'wss://rpc.example' }, 'RPC_BASE'],
    [{ RPC_BASE_SEPOLIA: 'https://a.example,' }, 'RPC_BASE_SEPOLIA'],
    [{ RPC_ETHEREUM: 'https://a.example, https://a.example' }, 'RPC_ETHEREUM'],
    [{ RPC_ARBITRUM: Array.from({ length: 9 }, (_, n) => `https://${n}.example`).join() }, 'RPC_ARBITRUM'],
  ])('refuses %j', (environment, variable) => {
    expect(problemsOf(() => serve(environment))).toEqual([variable]);
  });

  it.each([
    ['grpc://hub.example:2283', { address: 'hub.example:2283', tls: false }],
    ['grpcs://hub.example:443/', { address: 'hub.example:443', tls: true }],
    ['hub.example:3383', { address: 'hub.example:3383', tls: false }],
    ['grpc://[::1]:2283', { address: '[::1]:2283', tls: false }],
  ])('reads HUB_URL %s', (HUB_URL, hub) => {
    expect(serve({ HUB_URL }).hub).toEqual(hub);
  });

  it('opens loopback targets in development, and only when told to', () => {
    expect(dev().allowLoopbackTargets).toBe(false);
    expect(dev({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }).allowLoopbackTargets).toBe(true);
    expect(serve({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'false' }).allowLoopbackTargets).toBe(false);
  });

  it('reads the endpoints of networks in their order, and needs none', () => {
    expect(serve({}).rpc).toEqual({});
    const { rpc } = serve({ RPC_BASE: ' https://a.example/v2/key , http://me:pass@10.0.0.7:8545', RPC_ETHEREUM: '' });
    expect(Object.keys(rpc)).toEqual(['base']);
    expect(rpc.base?.map((url) => url.reveal())).toEqual(['https://a.example/v2/key', 'http://me:pass@10.0.0.7:8545']);
  });

  it('has a chain of its own in development, unless told otherwise', () => {
    expect(dev().localChain).toBe(true);
    expect(dev({ CASTELLAN_LOCAL_CHAIN: 'off' }).localChain).toBe(false);
    expect(serve({}).localChain).toBe(false);
  });

  it('treats an empty variable as absent and switches listeners off by word', () => {
    expect(serve({ HUB_URL: '', METRICS_PORT: 'off', HUB_HTTP_PORT: 'off' })).toMatchObject({
      hub: undefined,
      metrics: undefined,
      hubHttpPort: undefined,
    });
  });

  it('reads accounts from the list and from the file', () => {
    const file = join(folder, 'fids.txt');
    writeFileSync(file, '# friends\n3\n5650, 6 # and\n');
    expect(serve({ FIDS: '1, 2 2', FIDS_FILE: file }).fids).toEqual(new Set([1, 2, 3, 5650, 6]));
  });

  it('keeps generated development keys, readable by their owner alone', () => {
    const first = dev();
    const second = dev();
    expect(first.apiKey?.reveal()).toBe(second.apiKey?.reveal());
    expect(first.masterKey.derive('x')).toEqual(second.masterKey.derive('x'));
    for (const name of ['api-key', 'master-key']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'api-key'), 'utf8').trim()).toBe(first.apiKey?.reveal());
  });

  it('writes a given API key to the file of the generated one, so that the file holds the key that works', () => {
    const own = mkdtempSync(join(folder, 'given-'));
    const given = { CASTELLAN_DATA_DIR: own, CASTELLAN_API_KEY: 'mine' };
    const file = () => readFileSync(join(own, 'api-key'), 'utf8').trim();
    expect([dev(given).apiKey?.reveal(), file()]).toEqual(['mine', 'mine']);
    expect([dev({ ...given, CASTELLAN_API_KEY: 'other' }).apiKey?.reveal(), file()]).toEqual(['other', 'other']);
    expect(dev({ CASTELLAN_DATA_DIR: own }).apiKey?.reveal()).toBe('other');
    expect(statSync(join(own, 'api-key')).mode & 0o777).toBe(0o600);
  });

  it('does not generate a master key beside a given one', () => {
    const own = mkdtempSync(join(folder, 'given-'));
    dev({ CASTELLAN_DATA_DIR: own, CASTELLAN_MASTER_KEY: MASTER_KEY });
    expect(existsSync(join(own, 'master-key'))).toBe(false);
    expect(loadStoreConfig({ CASTELLAN_DATA_DIR: own })).toMatchObject({ hubNetwork: 'devnet', masterKey: undefined });
  });

  it('keeps development on loopback unless told to expose it', () => {
    expect(problemsOf(() => dev({ HOST: '0.0.0.0' }))).toEqual(['HOST']);
    expect(dev({ CASTELLAN_EXPOSE: 'true' }).host).toBe('0.0.0.0');
    expect(problemsOf(() => dev({ CASTELLAN_EXPOSE: 'true', CASTELLAN_API_KEY: 'short' }))).toEqual([
      'CASTELLAN_API_KEY',
    ]);
    expect(serve({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  it('says which folder cannot keep the keys', () => {
    expect(problemsOf(() => dev({ CASTELLAN_DATA_DIR: '/dev/null/data' }))).toEqual(['CASTELLAN_DATA_DIR']);
  });

  it('shows no secret when inspected or logged', () => {
    const config = serve({
      DATABASE_URL: 'postgres://me:topsecret@host/db',
      CASTELLAN_API_KEY: 'topsecret-0123456789-abcdef',
      RPC_BASE: 'https://rpc.example/topsecret',
    });
    const shown = `${inspect(config, { depth: 9, showHidden: true })} ${JSON.stringify(config)}`;
    expect(shown).not.toContain('topsecret');
    expect(shown).not.toContain(MASTER_KEY);
  });
});

describe('loadStoreConfig', () => {
  it('asks for nothing that only a service needs', () => {
    // A folder in which the service ran says more: its network.
    const fresh = { CASTELLAN_DATA_DIR: join(folder, 'fresh') };
    const environment = { ...fresh, DATABASE_URL: 'postgres://localhost/x', HOST: '0.0.0.0' };
    expect(loadStoreConfig(environment)).toMatchObject({ hubNetwork: 'mainnet' });
  });
});
