import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { type BillingConfig, type RateLimitConfig, readBillingConfig, readRateLimitConfig } from './billing.js';
import { hasDevelopmentSecrets, readDevelopmentSecrets, readGeneratedMasterKey } from './development-secret.js';
import type { Environment } from './env.js';
import { readFids } from './fid-list.js';
import { ConfigReader } from './reader.js';
import { type RpcUrls, readRpc } from './rpc.js';
import { MasterKey, Secret } from './secret.js';
import { readTokenConfig, type TokenConfig } from './token.js';

export type Profile = 'dev' | 'serve';
export type HubNetwork = 'mainnet' | 'testnet' | 'devnet';
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export interface HubAddress {
  /** `host:port` as gRPC takes it. */
  readonly address: string;
  readonly tls: boolean;
}

/** What a command needs that works on the stored data, with or without a service. */
export interface StoreConfig {
  /** Absolute path of the folder for the embedded database, generated keys and sockets. */
  readonly dataDir: string;
  readonly database: { readonly url: Secret } | { readonly dataDir: string };
  /** Connections for transactions and for reads together. */
  readonly databasePoolSize: number;
  readonly hub: HubAddress | undefined;
  readonly hubNetwork: HubNetwork;
  /** Partial mode: the accounts to index; undefined indexes all. */
  readonly fids: ReadonlySet<number> | undefined;
  readonly verifyThreads: number;
  /** Endpoints of the networks that transactions and balances are on. */
  readonly rpc: RpcUrls;
  /** Opens stored secrets; absent for a command where it is not set, and no service has generated one. */
  readonly masterKey: MasterKey | undefined;
  /** What organizations can subscribe to, and who takes their money. */
  readonly billing: BillingConfig;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Everything a service is built from. */
export interface Config extends StoreConfig {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** Absolute, without a trailing slash: every address we hand out starts with it. */
  readonly publicUrl: string;
  readonly hubHttpPort: number | undefined;
  /** Whose names stand on paths that have none of their own, and in calls that go out. */
  readonly wireNames: 'neutral' | 'ecosystem';
  /** A key that the default app gets at start. */
  readonly apiKey: Secret | undefined;
  readonly masterKey: MasterKey;
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly rateLimit: RateLimitConfig;
  readonly fragmentCacheBytes: number;
  /** Addresses and networks (CIDR) of reverse proxies: what they say of where a request comes from is believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses that users name may be on this machine, over http too; development alone. */
  readonly allowLoopbackTargets: boolean;
  /** Whether a chain of its own stands in for every network that has no endpoint; development alone. */
  readonly localChain: boolean;
  /** The most that a unit of gas may cost on any network; undefined: the default of each. */
  readonly maxFeeGwei: number | undefined;
  readonly tokens: TokenConfig;
  /** Ingest further behind than this makes `/health/ready` fail. */
  readonly readyMaxLagSeconds: number;
  /** How long a message that is written here may take to be stored. */
  readonly writeTimeoutSeconds: number;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function readDatabaseUrl(reader: ConfigReader): Secret | undefined {
  const text = reader.text('DATABASE_URL');
  if (text === undefined) return undefined;
  // The value may hold a password, so no message repeats it.
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    reader.problem('DATABASE_URL', 'is not of the form postgres://user:password@host:5432/database.');
  }
  return new Secret(text);
}

function readHub(reader: ConfigReader): HubAddress | undefined {
  const text = reader.text('HUB_URL');
  if (text === undefined) return undefined;
  const parts = /^(?:(grpcs?):\/\/)?((?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5}))\/?$/.exec(text);
  if (parts?.[2] !== undefined && Number(parts[3]) >= 1 && Number(parts[3]) <= 65_535) {
    return { address: parts[2], tls: parts[1] === 'grpcs' };
  }
  reader.problem('HUB_URL', `"${text}" is not grpc://host:port (plain), grpcs://host:port (TLS) or host:port.`);
  return undefined;
}

const readDataDir = (reader: ConfigReader): string => resolve(reader.text('CASTELLAN_DATA_DIR') ?? './data');

function readStore(reader: ConfigReader, profile: Profile): Omit<StoreConfig, 'masterKey'> {
  const dataDir = readDataDir(reader);
  const url = readDatabaseUrl(reader);
  return {
    dataDir,
    database: url ? { url } : { dataDir },
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 8, 2, 200),
    hub: readHub(reader),
    hubNetwork: reader.oneOf('HUB_NETWORK', ['mainnet', 'testnet', 'devnet'], profile === 'dev' ? 'devnet' : 'mainnet'),
    fids: readFids(reader),
    // One core stays for the event loop: the batch is written while the next one is verified.
    verifyThreads: reader.integer('VERIFY_THREADS', Math.max(1, Math.min(8, availableParallelism() - 1)), 1, 64),
    rpc: readRpc(reader),
    billing: readBillingConfig(reader, profile),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, profile === 'dev' ? 'warn' : 'info'),
  };
}

function readPublicUrl(reader: ConfigReader, profile: Profile, port: number): string {
  const text = reader.text('PUBLIC_URL');
  if (text === undefined) {
    if (profile === 'serve')
      reader.problem('PUBLIC_URL', 'is required: the address that clients use, like https://castellan.example.');
    return `http://127.0.0.1:${port}`;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    reader.problem(
      'PUBLIC_URL',
      'is not an http or https address without user, query and fragment, like https://castellan.example.',
    );
    return text;
  }
  return url.href.replace(/\/+$/, '');
}

/** The key that was in force before, while secrets are sealed again under the new one. */
function readPreviousKey(reader: ConfigReader): MasterKey | undefined {
  const text = reader.text('CASTELLAN_MASTER_KEY_PREVIOUS');
  if (text === undefined) return undefined;
  const key = MasterKey.parse(text);
  if (!key) reader.problem('CASTELLAN_MASTER_KEY_PREVIOUS', 'is not 32 bytes as 64 hex digits or base64.');
  return key;
}

const following = (key: MasterKey, previous: MasterKey | undefined): MasterKey =>
  previous ? key.following(previous) : key;

function readMasterKey(reader: ConfigReader, profile: Profile): MasterKey | undefined {
  const text = reader.text('CASTELLAN_MASTER_KEY');
  const how = 'Make one with `openssl rand -hex 32`, keep it as long as the database.';
  if (text === undefined) {
    if (profile === 'serve') reader.problem('CASTELLAN_MASTER_KEY', `is required: it seals stored secrets. ${how}`);
    return undefined;
  }
  const key = MasterKey.parse(text);
  if (!key) reader.problem('CASTELLAN_MASTER_KEY', `is not 32 bytes as 64 hex digits or base64. ${how}`);
  else if (profile === 'serve' && key.weak) reader.problem('CASTELLAN_MASTER_KEY', `is not random. ${how}`);
  return key;
}

function readProxies(reader: ConfigReader): readonly string[] {
  const proxies = (reader.text('TRUSTED_PROXIES') ?? '').split(/[\s,]+/).filter((one) => one !== '');
  const wrong = proxies.find((one) => !ipaddr.isValid(one) && !ipaddr.isValidCIDR(one));
  if (wrong !== undefined) {
    reader.problem('TRUSTED_PROXIES', `"${wrong}" is no address like 10.0.0.2 and no network like 10.0.0.0/8.`);
  }
  return proxies;
}

function readApiKey(reader: ConfigReader, strict: boolean): Secret | undefined {
  const text = reader.text('CASTELLAN_API_KEY');
  if (text === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,256}$/.test(text)) {
    reader.problem(
      'CASTELLAN_API_KEY',
      'does not fit in a header: use up to 256 visible ASCII characters without spaces.',
    );
  } else if (strict && (text.length < 24 || new Set(text).size < 10)) {
    // Keys are stored as a plain hash, which only a key that cannot be guessed survives.
    reader.problem(
      'CASTELLAN_API_KEY',
      'can be guessed: use at least 24 random characters, for example `openssl rand -hex 24`.',
    );
  }
  return new Secret(text);
}

/**
 * Reads what commands need that work on the stored data without a service; ports and addresses are not looked at.
 * Without HUB_NETWORK a folder of the development profile, known by its generated keys, holds the devnet's data.
 *
 * @throws ConfigError with every problem.
 */
export function loadStoreConfig(environment: Environment): StoreConfig {
  const reader = new ConfigReader(environment);
  const dataDir = readDataDir(reader);
  const hasGenerated = hasDevelopmentSecrets(dataDir);
  const config = readStore(reader, hasGenerated ? 'dev' : 'serve');
  // Few commands need the key, and those say so: a spoiled one is doctor's to tell.
  const given = MasterKey.parse(reader.text('CASTELLAN_MASTER_KEY') ?? '');
  const previous = MasterKey.parse(reader.text('CASTELLAN_MASTER_KEY_PREVIOUS') ?? '');
  reader.finish();
  const masterKey = given ?? readGeneratedMasterKey(dataDir);
  return { ...config, masterKey: masterKey && following(masterKey, previous) };
}

/**
 * Reads the configuration of a service. The development profile generates the keys that are not given and keeps
 * them in the data folder; production wants them given.
 *
 * @param environment the variables; the command line adds its options to them under the same names.
 * @throws ConfigError with every problem.
 */
export function loadConfig(profile: Profile, environment: Environment): Config {
  const reader = new ConfigReader(environment);
  const store = readStore(reader, profile);
  const expose = profile === 'dev' && reader.flag('CASTELLAN_EXPOSE');
  const host = reader.text('HOST') ?? (expose ? '0.0.0.0' : '127.0.0.1');
  if (profile === 'dev' && !expose && !LOOPBACK.test(host)) {
    reader.problem('HOST', `"${host}" opens a development service to the network: add --expose, or leave HOST out.`);
  }
  const port = reader.integer('PORT', 3000, 1, 65_535);
  const hubHttpPort = reader.port('HUB_HTTP_PORT', undefined);
  const metricsPort = reader.port('METRICS_PORT', 9464);
  for (const [variable, other] of [
    ['HUB_HTTP_PORT', hubHttpPort],
    ['METRICS_PORT', metricsPort],
  ] as const) {
    if (other === port) reader.problem(variable, `is the same as PORT (${port}).`);
  }
  if (hubHttpPort !== undefined && hubHttpPort === metricsPort)
    reader.problem('METRICS_PORT', 'is the same as HUB_HTTP_PORT.');
  const publicUrl = readPublicUrl(reader, profile, port);
  const allowLoopbackTargets = reader.flag('CASTELLAN_ALLOW_LOOPBACK_TARGETS');
  if (allowLoopbackTargets && profile === 'serve') {
    const why = 'lets users reach what listens on this machine: it is for development alone. Leave it out.';
    reader.problem('CASTELLAN_ALLOW_LOOPBACK_TARGETS', why);
  }
  const localChain = reader.oneOf('CASTELLAN_LOCAL_CHAIN', ['on', 'off'], profile === 'dev' ? 'on' : 'off') === 'on';
  if (localChain && profile === 'serve') {
    const why = 'is for development alone: the keys of the local chain are public knowledge. Set RPC_* variables.';
    reader.problem('CASTELLAN_LOCAL_CHAIN', why);
  }
  const masterKey = readMasterKey(reader, profile);
  const previousKey = readPreviousKey(reader);
  const apiKey = readApiKey(reader, profile === 'serve' || expose);
  const rest = {
    metrics:
      metricsPort === undefined ? undefined : { host: reader.text('METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    rateLimit: readRateLimitConfig(reader, 'url' in store.database),
    wireNames: reader.oneOf('WIRE_NAMES', ['neutral', 'ecosystem'], 'neutral'),
    allowLoopbackTargets,
    localChain,
    trustedProxies: readProxies(reader),
    tokens: readTokenConfig(reader, profile),
    maxFeeGwei:
      reader.text('MAX_FEE_GWEI') === undefined ? undefined : reader.integer('MAX_FEE_GWEI', 500, 1, 1_000_000),
    fragmentCacheBytes: reader.integer('FRAGMENT_CACHE_MB', 256, 0, 65_536) * 1024 * 1024,
    readyMaxLagSeconds: reader.integer('READY_MAX_LAG_SECONDS', 300, 1, 86_400),
    writeTimeoutSeconds: reader.integer('WRITE_TIMEOUT_SECONDS', 5, 1, 60),
  };
  const complete = (keys: { masterKey: MasterKey; apiKey: Secret | undefined }): Config => ({
    ...store,
    profile,
    host,
    port,
    publicUrl,
    hubHttpPort,
    ...rest,
    apiKey: keys.apiKey,
    masterKey: following(keys.masterKey, previousKey),
  });
  reader.finish();
  if (profile === 'serve') return complete({ masterKey: masterKey as MasterKey, apiKey });
  return complete(readDevelopmentSecrets(store.dataDir, { masterKey, apiKey }));
}
