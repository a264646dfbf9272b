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
  loadConfig('serve', {
    PUBLIC_URL: 'https://social.example',
    CASTELLAN_MASTER_KEY: MASTER_KEY,
    CASTELLAN_EMBEDDED: 'true',
    ...environment,
  });
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

  it('requires a database server in production, unless the embedded one is meant', () => {
    const without = { CASTELLAN_EMBEDDED: undefined };
    expect(problemsOf(() => serve(without))).toEqual(['DATABASE_URL']);
    expect(() => serve(without)).toThrow('--embedded (CASTELLAN_EMBEDDED=true)');
    expect('url' in serve({ ...without, DATABASE_URL: 'postgres://me@db.example/castellan' }).database).toBe(true);
    expect('url' in dev().database).toBe(false);
  });

  it('takes the address of a pooler only with that of its server, and without what a pooler cannot pass on', () => {
    const CASTELLAN_DIRECT_URL = 'postgres://me@one.example,two.example/castellan';
    const pooled = (DATABASE_URL: string) => () => serve({ DATABASE_URL, CASTELLAN_DIRECT_URL });
    expect(pooled('postgres://me@pooler.example:6432/castellan')().database).toMatchObject({
      directUrl: expect.anything(),
    });
    for (const url of [
      'postgres://me@pooler.example,other.example/castellan',
      'postgres://me@pooler.example/castellan?target_session_attrs=any',
      'postgres://me@pooler.example/castellan?options=-c%20jit%3Don',
    ]) {
      expect(problemsOf(pooled(url))).toEqual(['DATABASE_URL']);
    }
    expect(problemsOf(() => serve({ CASTELLAN_DIRECT_URL, CASTELLAN_EMBEDDED: 'true' }))).toEqual([
      'CASTELLAN_DIRECT_URL',
    ]);
  });

  it('refuses variables that have no effect, and names the one that was probably meant', () => {
    const load = () => serve({ CASTELLAN_CASHE_MB: '64', CASTELLAN_WHATEVER_IT_IS: '1', CASTELLAN_RPC_BASS: '' });
    expect(problemsOf(load)).toEqual(['CASTELLAN_CASHE_MB', 'CASTELLAN_WHATEVER_IT_IS', 'CASTELLAN_RPC_BASS']);
    expect(load).toThrow('CASTELLAN_CASHE_MB: is no variable of Castellan. Did you mean CASTELLAN_CACHE_MB?');
    expect(load).toThrow('CASTELLAN_WHATEVER_IT_IS: is no variable of Castellan. docs/configuration.md lists all.');
    expect(problemsOf(() => loadStoreConfig({ CASTELLAN_FID: '1' }))).toEqual(['CASTELLAN_FID']);
    // Variables of others, and those of the tests.
    expect(problemsOf(() => serve({ CASTELLANA: '1', CASTELLAN_TEST_TIER: 'long' }))).toEqual([]);
  });

  it('reports every problem at once, each under its variable', () => {
    const load = () =>
      loadConfig('serve', {
        PORT: '70000',
        DATABASE_URL: 'mysql://me:topsecret@host/db',
        CASTELLAN_HUB_URL: 'http://hub',
        CASTELLAN_HUB_NETWORK: 'moonnet',
        CASTELLAN_FIDS: '1,two',
        CASTELLAN_MASTER_KEY: 'topsecret',
        CASTELLAN_API_KEY: 'topsecret',
        CASTELLAN_LOG_LEVEL: 'loud',
        CASTELLAN_RPC_OPTIMISM: 'topsecret',
        CASTELLAN_RPC_ROBINHOOD: 'https://rpc.example/topsecret,wss://rpc.example/topsecret',
      });
    expect(problemsOf(load).sort()).toEqual(
      [
        'PORT',
        'PUBLIC_URL',
        'DATABASE_URL',
        'CASTELLAN_HUB_URL',
        'CASTELLAN_HUB_NETWORK',
        'CASTELLAN_FIDS',
        'CASTELLAN_MASTER_KEY',
        'CASTELLAN_API_KEY',
        'CASTELLAN_LOG_LEVEL',
        'CASTELLAN_RPC_OPTIMISM',
        'CASTELLAN_RPC_ROBINHOOD',
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
    [{ CASTELLAN_SUMMARY_URL: 'https://model.example' }, 'CASTELLAN_SUMMARY_MODEL'],
    [{ CASTELLAN_SUMMARY_MODEL: 'small' }, 'CASTELLAN_SUMMARY_URL'],
    [{ CASTELLAN_SUMMARY_KEY: 'topsecret' }, 'CASTELLAN_SUMMARY_URL'],
    [
      { CASTELLAN_SUMMARY_URL: 'https://me:topsecret@model.example', CASTELLAN_SUMMARY_MODEL: 'x' },
      'CASTELLAN_SUMMARY_URL',
    ],
    [{ PORT: '0' }, 'PORT'],
    [{ PORT: '3000.5' }, 'PORT'],
    [{ PORT: '0x50' }, 'PORT'],
    [{ CASTELLAN_METRICS_PORT: '3000' }, 'CASTELLAN_METRICS_PORT'],
    [{ CASTELLAN_HUB_HTTP_PORT: '9464' }, 'CASTELLAN_METRICS_PORT'],
    [{ CASTELLAN_HUB_HTTP_PORT: 'on' }, 'CASTELLAN_HUB_HTTP_PORT'],
    [{ CASTELLAN_HUB_URL: 'grpc://hub.example' }, 'CASTELLAN_HUB_URL'],
    [{ CASTELLAN_HUB_URL: 'hub.example:99999' }, 'CASTELLAN_HUB_URL'],
    [{ CASTELLAN_DATABASE_POOL_SIZE: '1' }, 'CASTELLAN_DATABASE_POOL_SIZE'],
    [{ CASTELLAN_FIDS: '0' }, 'CASTELLAN_FIDS'],
    [{ CASTELLAN_FIDS: ',' }, 'CASTELLAN_FIDS'],
    [{ CASTELLAN_CHANNEL_REGISTRAR: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }, 'CASTELLAN_CHANNEL_REGISTRAR'],
    [
      { CASTELLAN_CHANNEL_REGISTRAR: 'eip155:10/erc721:0x5fbDB2315678afecb367f032d93F642f64180aa3' },
      'CASTELLAN_CHANNEL_REGISTRAR',
    ],
    [{ CASTELLAN_FIDS_FILE: '/nowhere/fids' }, 'CASTELLAN_FIDS_FILE'],
    [{ CASTELLAN_RATE_LIMIT_PER_MINUTE: '-1' }, 'CASTELLAN_RATE_LIMIT_PER_MINUTE'],
    [{ CASTELLAN_CACHE_MB: '1e3' }, 'CASTELLAN_CACHE_MB'],
    [{ CASTELLAN_WIRE_NAMES: 'theirs' }, 'CASTELLAN_WIRE_NAMES'],
    [{ CASTELLAN_VERIFY_THREADS: '0' }, 'CASTELLAN_VERIFY_THREADS'],
    [{ CASTELLAN_READY_MAX_LAG_SECONDS: 'soon' }, 'CASTELLAN_READY_MAX_LAG_SECONDS'],
    [{ CASTELLAN_WRITE_TIMEOUT_SECONDS: '0' }, 'CASTELLAN_WRITE_TIMEOUT_SECONDS'],
    [{ CASTELLAN_TRUSTED_PROXIES: '10.0.0.1, proxy' }, 'CASTELLAN_TRUSTED_PROXIES'],
    [{ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, 'CASTELLAN_ALLOW_LOOPBACK_TARGETS'],
    [{ CASTELLAN_LOCAL_CHAIN: 'on' }, 'CASTELLAN_LOCAL_CHAIN'],
    [{ CASTELLAN_LOCAL_CHAIN: 'maybe' }, 'CASTELLAN_LOCAL_CHAIN'],
    [{ CASTELLAN_RPC_BASE: 'wss://rpc.example' }, 'CASTELLAN_RPC_BASE'],
    [{ CASTELLAN_RPC_BASE_SEPOLIA: 'https://a.example,' }, 'CASTELLAN_RPC_BASE_SEPOLIA'],
    [{ CASTELLAN_RPC_ETHEREUM: 'https://a.example, https://a.example' }, 'CASTELLAN_RPC_ETHEREUM'],
    [
      { CASTELLAN_RPC_ARBITRUM: Array.from({ length: 9 }, (_, n) => `https://${n}.example`).join() },
      'CASTELLAN_RPC_ARBITRUM',
    ],
  ])('rejects %j', (environment, variable) => {
    expect(problemsOf(() => serve(environment))).toEqual([variable]);
  });

  it.each([
    ['grpc://hub.example:2283', { address: 'hub.example:2283', tls: false }],
    ['grpcs://hub.example:443/', { address: 'hub.example:443', tls: true }],
    ['hub.example:3383', { address: 'hub.example:3383', tls: false }],
    ['grpc://[::1]:2283', { address: '[::1]:2283', tls: false }],
  ])('reads CASTELLAN_HUB_URL %s', (CASTELLAN_HUB_URL, hub) => {
    expect(serve({ CASTELLAN_HUB_URL }).hub).toEqual(hub);
  });

  it('allows loopback targets only in development, and to others only if enabled', () => {
    expect(dev().allowLoopbackTargets).toBe(true);
    expect(dev({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'false' }).allowLoopbackTargets).toBe(false);
    const exposed = { CASTELLAN_EXPOSE: 'true', CASTELLAN_API_KEY: '0123456789abcdefghijklmn' };
    expect(dev(exposed).allowLoopbackTargets).toBe(false);
    expect(dev({ ...exposed, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }).allowLoopbackTargets).toBe(true);
    expect(serve({}).allowLoopbackTargets).toBe(false);
    expect(serve({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'false' }).allowLoopbackTargets).toBe(false);
  });

  it('reads the endpoints of networks in order; all are optional', () => {
    expect(serve({}).rpc).toEqual({});
    const { rpc } = serve({
      CASTELLAN_RPC_BASE: ' https://a.example/v2/key , http://me:pass@10.0.0.7:8545',
      CASTELLAN_RPC_ETHEREUM: '',
    });
    expect(Object.keys(rpc)).toEqual(['base']);
    expect(rpc.base?.map((url) => url.reveal())).toEqual(['https://a.example/v2/key', 'http://me:pass@10.0.0.7:8545']);
  });

  it('spells the registrar of channels as EIP-55 does', () => {
    const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    const read = (text: string) => serve({ CASTELLAN_CHANNEL_REGISTRAR: text }).channelRegistrar;
    expect(read(`eip155:10/erc721:${address.toLowerCase()}`)).toBe(`eip155:10/erc721:${address}`);
    expect(read(`eip155:10/erc721:${address}`)).toBe(`eip155:10/erc721:${address}`);
    expect(serve({}).channelRegistrar).toBeUndefined();
  });

  it('uses a local chain in development unless it is switched off', () => {
    expect(dev().localChain).toBe(true);
    expect(dev({ CASTELLAN_LOCAL_CHAIN: 'off' }).localChain).toBe(false);
    expect(serve({}).localChain).toBe(false);
  });

  it('treats an empty variable as absent and `off` as no listener', () => {
    expect(
      serve({ CASTELLAN_HUB_URL: '', CASTELLAN_METRICS_PORT: 'off', CASTELLAN_HUB_HTTP_PORT: 'off' }),
    ).toMatchObject({
      hub: undefined,
      metrics: undefined,
      hubHttpPort: undefined,
    });
  });

  it('reads accounts from the list and from the file', () => {
    const file = join(folder, 'fids.txt');
    writeFileSync(file, '# friends\n3\n5650, 6 # and\n');
    expect(serve({ CASTELLAN_FIDS: '1, 2 2', CASTELLAN_FIDS_FILE: file }).fids).toEqual(new Set([1, 2, 3, 5650, 6]));
  });

  it('stores generated development keys, readable only by their owner', () => {
    const first = dev();
    const second = dev();
    expect(first.apiKey?.reveal()).toBe(second.apiKey?.reveal());
    expect(first.masterKey.derive('x')).toEqual(second.masterKey.derive('x'));
    for (const name of ['api-key', 'master-key']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'api-key'), 'utf8').trim()).toBe(first.apiKey?.reveal());
  });

  it('writes a given API key to the file of the generated one, which thus contains the current key', () => {
    const own = mkdtempSync(join(folder, 'given-'));
    const given = { CASTELLAN_DATA_DIR: own, CASTELLAN_API_KEY: 'mine' };
    const file = () => readFileSync(join(own, 'api-key'), 'utf8').trim();
    expect([dev(given).apiKey?.reveal(), file()]).toEqual(['mine', 'mine']);
    expect([dev({ ...given, CASTELLAN_API_KEY: 'other' }).apiKey?.reveal(), file()]).toEqual(['other', 'other']);
    expect(dev({ CASTELLAN_DATA_DIR: own }).apiKey?.reveal()).toBe('other');
    expect(statSync(join(own, 'api-key')).mode & 0o777).toBe(0o600);
  });

  it('does not generate a master key if one is given', () => {
    const own = mkdtempSync(join(folder, 'given-'));
    dev({ CASTELLAN_DATA_DIR: own, CASTELLAN_MASTER_KEY: MASTER_KEY });
    expect(existsSync(join(own, 'master-key'))).toBe(false);
    expect(loadStoreConfig({ CASTELLAN_DATA_DIR: own })).toMatchObject({ hubNetwork: 'devnet', masterKey: undefined });
  });

  it('listens on loopback in development unless it is exposed', () => {
    expect(problemsOf(() => dev({ HOST: '0.0.0.0' }))).toEqual(['HOST']);
    expect(dev({ CASTELLAN_EXPOSE: 'true' }).host).toBe('0.0.0.0');
    expect(problemsOf(() => dev({ CASTELLAN_EXPOSE: 'true', CASTELLAN_API_KEY: 'short' }))).toEqual([
      'CASTELLAN_API_KEY',
    ]);
    expect(serve({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  it('names the folder in which keys cannot be stored', () => {
    expect(problemsOf(() => dev({ CASTELLAN_DATA_DIR: '/dev/null/data' }))).toEqual(['CASTELLAN_DATA_DIR']);
  });

  it('reads where images come from, and needs a model for an endpoint', () => {
    expect([serve({}).images, dev().images].map(({ endpoint, drawsPattern }) => [endpoint, drawsPattern])).toEqual([
      [undefined, false],
      [undefined, true],
    ]);
    const CASTELLAN_IMAGE_URL = 'http://127.0.0.1:8080/v1/';
    const { images } = serve({ CASTELLAN_IMAGE_URL, CASTELLAN_IMAGE_MODEL: 'plain' });
    expect(images.endpoint).toMatchObject({ url: 'http://127.0.0.1:8080/v1', model: 'plain', modelHigh: undefined });
    expect(problemsOf(() => serve({ CASTELLAN_IMAGE_URL }))).toEqual(['CASTELLAN_IMAGE_MODEL']);
    expect(problemsOf(() => serve({ CASTELLAN_IMAGE_KEY: 'two words' }))).toEqual(['CASTELLAN_IMAGE_KEY']);
  });

  it('accepts the association of its own domain only', () => {
    const association = (domain: unknown) => ({
      header: 'eyJ9',
      payload: Buffer.from(JSON.stringify({ domain })).toString('base64url'),
      signature: 'AA',
    });
    const own = association('social.example');
    const read = (value: unknown) => serve({ CASTELLAN_MINIAPP_ASSOCIATION: JSON.stringify(value) }).domainAssociation;
    expect(read(own)).toEqual(own);
    expect(read({ accountAssociation: own, miniapp: {} })).toEqual(own);
    for (const value of [association('other.example'), association(5), { ...own, signature: 5 }, {}, null, 'text']) {
      expect(problemsOf(() => read(value))).toEqual(['CASTELLAN_MINIAPP_ASSOCIATION']);
    }
    expect(problemsOf(() => serve({ CASTELLAN_MINIAPP_ASSOCIATION: '{' }))).toEqual(['CASTELLAN_MINIAPP_ASSOCIATION']);
  });

  it('shows no secret when inspected or logged', () => {
    const config = serve({
      DATABASE_URL: 'postgres://me:topsecret@host/db',
      CASTELLAN_API_KEY: 'topsecret-0123456789-abcdef',
      CASTELLAN_RPC_BASE: 'https://rpc.example/topsecret',
      CASTELLAN_SUMMARY_URL: 'http://10.0.0.1:8080/v1/',
      CASTELLAN_SUMMARY_MODEL: 'small',
      CASTELLAN_SUMMARY_KEY: 'topsecret',
      CASTELLAN_IMAGE_URL: 'https://images.example/v1',
      CASTELLAN_IMAGE_MODEL: 'plain',
      CASTELLAN_IMAGE_KEY: 'topsecret',
    });
    expect(config.model).toMatchObject({ url: 'http://10.0.0.1:8080/v1', name: 'small' });
    const shown = `${inspect(config, { depth: 9, showHidden: true })} ${JSON.stringify(config)}`;
    expect(shown).not.toContain('topsecret');
    expect(shown).not.toContain(MASTER_KEY);
  });
});

describe('loadStoreConfig', () => {
  it('requires nothing that only a service needs', () => {
    // The keys of a folder in which a service ran imply its network.
    const fresh = { CASTELLAN_DATA_DIR: join(folder, 'fresh') };
    const environment = { ...fresh, DATABASE_URL: 'postgres://localhost/x', HOST: '0.0.0.0' };
    expect(loadStoreConfig(environment)).toMatchObject({ hubNetwork: 'mainnet' });
  });

  it('allows loopback targets only in the folder of a development service', () => {
    const own = mkdtempSync(join(folder, 'loopback-'));
    const enabled = { CASTELLAN_DATA_DIR: own, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' };
    expect(loadStoreConfig(enabled).allowLoopbackTargets).toBe(false);
    dev({ CASTELLAN_DATA_DIR: own });
    expect(loadStoreConfig(enabled).allowLoopbackTargets).toBe(true);
    expect(loadStoreConfig({ CASTELLAN_DATA_DIR: own }).allowLoopbackTargets).toBe(true);
  });
});
