import { readFileSync } from 'node:fs';
import { type BillingConfig, readBillingConfig, readRateLimitConfig } from './billing.js';
import { type DatabaseConfig, readDatabase, readDataDir, requireDatabase } from './database.js';
import { hasDevelopmentSecrets, readDevelopmentSecrets, readGeneratedMasterKey } from './development-secret.js';
import type { Environment } from './env.js';
import { type EventSinkAddress, parseEventSink } from './event-sink.js';
import { readHubRpc } from './hub-rpc.js';
import { readAssociation, readImages } from './image.js';
import { variablesInForce } from './in-force.js';
import { readModel } from './model.js';
import { fidList, type HubAddress } from './parse.js';
import { readProcesses } from './process.js';
import { ConfigReader } from './reader.js';
import { readPublicReads, readRequests } from './request.js';
import { RPC_VARIABLES, type RpcUrls } from './rpc.js';
import { MasterKey, type Secret } from './secret.js';
import type { ValueOf } from './variable.js';
import type { Profile } from './variable-row.js';
import { readX402Settings } from './x402.js';

export type HubNetwork = ValueOf<'CASTELLAN_HUB_NETWORK'>;

/** What a command needs that works on the stored data, with or without a service. */
export interface StoreConfig extends DatabaseConfig {
  readonly hub: HubAddress | undefined;
  readonly hubNetwork: HubNetwork;
  /** Partial mode: the accounts to index; undefined: all. */
  readonly fids: ReadonlySet<number> | undefined;
  /** Where the protocol's channels are registered, `eip155:<chain>/erc721:<address>`; undefined: they are not shown. */
  readonly channelRegistrar: string | undefined;
  readonly verifyThreads: number;
  readonly rpc: RpcUrls;
  /** Opens stored secrets; undefined where it is not set and no service has generated one. */
  readonly masterKey: MasterKey | undefined;
  readonly billing: BillingConfig;
  /** Where all events are sent; undefined: nowhere. */
  readonly eventSink: EventSinkAddress | undefined;
  /** Whether URLs given by users may be on this machine, also over http; only in development. */
  readonly allowLoopbackTargets: boolean;
  readonly logLevel: ValueOf<'CASTELLAN_LOG_LEVEL'>;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const portOf = (port: number | 'off'): number | undefined => (port === 'off' ? undefined : port);

/** @returns the accounts of partial mode; undefined if no variable names any, so that all are indexed */
const readFids = (reader: ConfigReader): ReadonlySet<number> | undefined => {
  const before = reader.problems.length;
  const list = reader.get('CASTELLAN_FIDS');
  const file = reader.get('CASTELLAN_FIDS_FILE');
  if (list === undefined && file === undefined) return undefined;
  const fids = new Set(list);
  const report = (problem: string) => void reader.problem('CASTELLAN_FIDS_FILE', problem);
  if (file !== undefined) {
    try {
      const text = readFileSync(file, 'utf8').replace(/#.*$/gm, '');
      for (const fid of fidList(text, report) ?? []) fids.add(fid);
    } catch (error) {
      report(`"${file}" cannot be read: ${(error as Error).message}.`);
    }
  }
  if (fids.size === 0 && reader.problems.length === before)
    reader.problem(list === undefined ? 'CASTELLAN_FIDS_FILE' : 'CASTELLAN_FIDS', 'names no account.');
  return fids;
};

const readRpc = (reader: ConfigReader): RpcUrls => {
  const entries = Object.entries(RPC_VARIABLES).map(([network, variable]) => [network, reader.get(variable)] as const);
  return Object.fromEntries(entries.filter(([, urls]) => urls !== undefined));
};

const readStore = (reader: ConfigReader): Omit<StoreConfig, 'masterKey' | 'allowLoopbackTargets'> => {
  const sink = reader.get('CASTELLAN_EVENT_SINK');
  return {
    ...readDatabase(reader),
    hub: reader.get('CASTELLAN_HUB_URL'),
    hubNetwork: reader.get('CASTELLAN_HUB_NETWORK'),
    fids: readFids(reader),
    channelRegistrar: reader.get('CASTELLAN_CHANNEL_REGISTRAR'),
    verifyThreads: reader.get('CASTELLAN_VERIFY_THREADS'),
    rpc: readRpc(reader),
    billing: readBillingConfig(reader),
    eventSink: sink && parseEventSink(sink.reveal()),
    logLevel: reader.get('CASTELLAN_LOG_LEVEL'),
  };
};

const withPrevious = (key: MasterKey, previous: MasterKey | undefined): MasterKey =>
  previous ? key.following(previous) : key;

const readMasterKey = (reader: ConfigReader, profile: Profile): MasterKey | undefined => {
  const how = 'Make one with `openssl rand -hex 32`, keep it as long as the database.';
  const key = reader.get('CASTELLAN_MASTER_KEY');
  if (profile !== 'serve') return key;
  if (reader.text('CASTELLAN_MASTER_KEY') === undefined) {
    reader.problem('CASTELLAN_MASTER_KEY', `is required: it seals stored secrets. ${how}`);
  } else if (key?.weak) reader.problem('CASTELLAN_MASTER_KEY', `is not random. ${how}`);
  return key;
};

const readApiKey = (reader: ConfigReader, strict: boolean): Secret | undefined => {
  const key = reader.get('CASTELLAN_API_KEY');
  const text = key?.reveal();
  if (strict && text !== undefined && (text.length < 24 || new Set(text).size < 10)) {
    // Keys are stored as a plain hash, which protects only a key that cannot be guessed.
    reader.problem(
      'CASTELLAN_API_KEY',
      'can be guessed: use at least 24 random characters, for example `openssl rand -hex 24`.',
    );
  }
  return key;
};

const readHost = (reader: ConfigReader, profile: Profile, expose: boolean): string => {
  const host = reader.get('HOST') ?? (expose ? '0.0.0.0' : '127.0.0.1');
  if (profile === 'dev' && !expose && !LOOPBACK.test(host)) {
    reader.problem('HOST', `"${host}" opens a development service to the network: add --expose, or leave HOST out.`);
  }
  return host;
};

const readPorts = (
  reader: ConfigReader,
): {
  port: number;
  hubHttpPort?: number | undefined;
  metricsPort?: number | undefined;
} => {
  const port = reader.get('PORT');
  const hubHttpPort = portOf(reader.get('CASTELLAN_HUB_HTTP_PORT'));
  const metricsPort = portOf(reader.get('CASTELLAN_METRICS_PORT'));
  if (hubHttpPort === port) reader.problem('CASTELLAN_HUB_HTTP_PORT', `is the same as PORT (${port}).`);
  if (metricsPort === port) reader.problem('CASTELLAN_METRICS_PORT', `is the same as PORT (${port}).`);
  if (hubHttpPort !== undefined && hubHttpPort === metricsPort)
    reader.problem('CASTELLAN_METRICS_PORT', 'is the same as CASTELLAN_HUB_HTTP_PORT.');
  return { port, hubHttpPort, metricsPort };
};

const readPublicUrl = (reader: ConfigReader, profile: Profile, port: number): string => {
  if (profile === 'serve' && reader.text('PUBLIC_URL') === undefined)
    reader.problem('PUBLIC_URL', 'is required: the address that clients use, like https://castellan.example.');
  return reader.get('PUBLIC_URL') ?? `http://127.0.0.1:${port}`;
};

/** @returns whether users may name URLs on this machine; those of others may do so only if the operator says it */
const readLoopbackTargets = (reader: ConfigReader, isExposed: boolean): boolean => {
  const name = 'CASTELLAN_ALLOW_LOOPBACK_TARGETS';
  return reader.get(name) && (!isExposed || reader.text(name) !== undefined);
};

/** What only the development profile may have. */
const readDevelopment = (reader: ConfigReader, profile: Profile, isExposed: boolean) => {
  const allowLoopbackTargets = readLoopbackTargets(reader, isExposed);
  if (allowLoopbackTargets && profile === 'serve') {
    const why = 'lets users reach what listens on this machine: it is for development only. Leave it out.';
    reader.problem('CASTELLAN_ALLOW_LOOPBACK_TARGETS', why);
  }
  const localChain = reader.get('CASTELLAN_LOCAL_CHAIN') === 'on';
  if (localChain && profile === 'serve') {
    const why =
      'is for development only: the keys of the local chain are public knowledge. Set CASTELLAN_RPC_* variables.';
    reader.problem('CASTELLAN_LOCAL_CHAIN', why);
  }
  return {
    allowLoopbackTargets,
    /** Whether a chain on this machine is used for every network without endpoints. */
    localChain,
  };
};

/** @returns where traces go; undefined: there are none */
const readTracing = (reader: ConfigReader) => {
  const endpoint = reader.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  const headers = reader.get('OTEL_EXPORTER_OTLP_HEADERS');
  const serviceName = reader.get('OTEL_SERVICE_NAME');
  /** Of the traces that begin here, from 0 to 1. */
  const recordedShare = reader.get('OTEL_TRACES_SAMPLER_ARG');
  return endpoint === undefined ? undefined : { endpoint, headers, serviceName, recordedShare };
};

/**
 * Reads what a command needs that works on the stored data without a service; it does not read ports and addresses.
 * Without CASTELLAN_HUB_NETWORK, a folder with generated development keys contains data of the devnet; only with such a
 * folder are loopback targets allowed.
 *
 * @throws ConfigError with every problem.
 */
export const loadStoreConfig = (environment: Environment): StoreConfig => {
  const dataDir = readDataDir(new ConfigReader(environment, 'serve'));
  const isDevelopment = hasDevelopmentSecrets(dataDir);
  const reader = new ConfigReader(environment, isDevelopment ? 'dev' : 'serve');
  const config = readStore(reader);
  const isExposed = reader.get('CASTELLAN_EXPOSE');
  const allowLoopbackTargets = readLoopbackTargets(reader, isExposed) && isDevelopment;
  // An invalid key is no problem here: few commands need it, and those report that it is missing.
  const given = MasterKey.parse(reader.text('CASTELLAN_MASTER_KEY') ?? '');
  const previous = MasterKey.parse(reader.text('CASTELLAN_MASTER_KEY_PREVIOUS') ?? '');
  reader.finish();
  const masterKey = given ?? readGeneratedMasterKey(dataDir);
  return { ...config, allowLoopbackTargets, masterKey: masterKey && withPrevious(masterKey, previous) };
};

/**
 * Reads the configuration of a service. The development profile generates missing keys and stores them in the data
 * folder.
 *
 * @param environment the variables; the command line adds its options to them under the same names.
 * @throws ConfigError with every problem.
 */
export const loadConfig = (profile: Profile, environment: Environment) => {
  const reader = new ConfigReader(environment, profile);
  const store = readStore(reader);
  requireDatabase(reader, profile);
  const expose = reader.get('CASTELLAN_EXPOSE') && profile === 'dev';
  const { port, hubHttpPort, metricsPort } = readPorts(reader);
  const masterKey = readMasterKey(reader, profile);
  const previousKey = reader.get('CASTELLAN_MASTER_KEY_PREVIOUS');
  const apiKey = readApiKey(reader, profile === 'serve' || expose);
  const metricsHost = reader.get('CASTELLAN_METRICS_HOST');
  const publicUrl = readPublicUrl(reader, profile, port);
  const config = {
    ...store,
    profile,
    processes: readProcesses(reader, profile, 'url' in store.database),
    host: readHost(reader, profile, expose),
    port,
    /** Absolute, without a trailing slash: every URL that the service hands out starts with it. */
    publicUrl,
    hubHttpPort,
    hubRpc: readHubRpc(reader, profile, [
      ['PORT', port],
      ['CASTELLAN_HUB_HTTP_PORT', hubHttpPort],
      ['CASTELLAN_METRICS_PORT', metricsPort],
    ]),
    metrics:
      metricsPort === undefined
        ? undefined
        : {
            host: metricsHost,
            port: metricsPort,
            /** Whether the next free port is taken if another program has this one: nobody chose it. */
            isMovable: profile === 'dev' && reader.text('CASTELLAN_METRICS_PORT') === undefined,
          },
    rateLimit: readRateLimitConfig(reader, 'url' in store.database),
    /** Undefined: there are no traces. */
    tracing: readTracing(reader),
    requests: readRequests(reader),
    publicReads: readPublicReads(reader),
    /** Domains of the apps that may use the sign-in services. */
    signInDomains: reader.get('CASTELLAN_SIGN_IN_DOMAINS'),
    /** Names used on paths that do not determine them, and in calls to other servers. */
    wireNames: reader.get('CASTELLAN_WIRE_NAMES'),
    ...readDevelopment(reader, profile, expose),
    /** Whether each request is logged when it has been answered. */
    logsRequests: reader.get('CASTELLAN_ACCESS_LOG'),
    /** Whether the requests of the last hour can be looked up. */
    keepsRequests: reader.get('CASTELLAN_REQUEST_LOG'),
    /** Whether large responses are compressed for clients that accept it. */
    compresses: reader.get('CASTELLAN_COMPRESSION'),
    /** Addresses and networks (CIDR) of reverse proxies whose X-Forwarded-For is believed. */
    trustedProxies: reader.get('CASTELLAN_TRUSTED_PROXIES'),
    /** Which tokens are known by name, and where prices come from. */
    tokens: {
      /** Absolute paths of token lists; a later one takes precedence. */
      lists: reader.get('CASTELLAN_TOKEN_LIST'),
      /** Absolute path of a file of fixed prices, which take precedence over all sources. */
      priceFile: reader.get('CASTELLAN_PRICE_FILE'),
      priceSources: reader.get('CASTELLAN_PRICE_SOURCE'),
      /** Without a trailing slash; undefined: the default service. */
      priceApi: reader.get('CASTELLAN_PRICE_API_URL'),
    },
    /** Subscription tokens (STP). */
    stp: {
      /** In addition to the public ones. */
      factories: reader.get('CASTELLAN_STP_FACTORIES'),
      /** Without a trailing slash. */
      ipfsGateway: reader.get('CASTELLAN_IPFS_GATEWAY') ?? 'https://ipfs.io',
    },
    /** Whether the pages that casts embed are fetched in the background. */
    isCrawling: reader.get('CASTELLAN_CRAWL'),
    /** Who decides about channels. */
    channels: {
      source: reader.get('CASTELLAN_CHANNEL_SOURCE'),
      /** Interface of the client that is mirrored; without a trailing slash. */
      clientUrl: reader.get('CASTELLAN_CHANNEL_CLIENT_URL'),
      /** Whether follows of channels of the protocol are written. */
      isProtocolWritten: reader.get('CASTELLAN_PROTOCOL_CHANNELS'),
    },
    /** Undefined: conversations are not summarised. */
    model: readModel(reader, 'SUMMARY'),
    embedding: readModel(reader, 'EMBEDDING'),
    images: readImages(reader),
    /** Accounts and storage that wallets of the service buy. */
    accounts: {
      /** Ether that an app may spend on a day, as in `0.1`. */
      dailySpendEther: reader.get('CASTELLAN_DAILY_SPEND_ETHER'),
      maxReservations: reader.get('CASTELLAN_RESERVATIONS'),
      poolSize: reader.get('CASTELLAN_ACCOUNT_POOL'),
      /** Id of the wallet that pays for keys; undefined: none does. */
      sponsorWalletId: reader.get('CASTELLAN_SIGNER_SPONSOR_WALLET'),
      /** Without a trailing slash; undefined: none is configured. */
      nameRegistryUrl: reader.get('CASTELLAN_FNAME_REGISTRY_URL'),
      allowedCalls: reader.get('CASTELLAN_REGISTRATION_CALLS'),
    },
    /** Tokens that apps deploy at the expense of the operator. */
    tokenDeployments: {
      /** Id of the wallet that pays for them; undefined: none does. */
      walletId: reader.get('CASTELLAN_TOKEN_DEPLOYER_WALLET'),
      /** How many an app may deploy within 24 hours. */
      maxPerDay: reader.get('CASTELLAN_TOKEN_DEPLOYMENTS'),
    },
    x402: readX402Settings(reader),
    /** The search for trades. */
    trades: {
      /** Wallets to watch; 0: none. */
      wallets: reader.get('CASTELLAN_TRADE_WALLETS'),
      everyMs: reader.get('CASTELLAN_TRADE_SECONDS') * 1000,
    },
    /** How much all files of an organization may have together. */
    mediaQuotaBytes: reader.get('CASTELLAN_MEDIA_QUOTA_MB') * 1024 * 1024,
    /** Of the domain of `publicUrl`. */
    domainAssociation: readAssociation(reader, publicUrl),
    /** Highest fee for a unit of gas on any network; undefined: the default of each. */
    maxFeeGwei: reader.get('CASTELLAN_MAX_FEE_GWEI'),
    cacheBytes: reader.get('CASTELLAN_CACHE_MB') * 1024 * 1024,
    /** How long the event log is kept, and deliveries of webhooks after their end. */
    retention: {
      eventDays: reader.get('CASTELLAN_EVENT_RETENTION_DAYS'),
      deliveryDays: reader.get('CASTELLAN_DELIVERY_RETENTION_DAYS'),
    },
    /** Whether notifications of mini apps to many users are sent after their request. */
    isNotificationAsync: reader.get('CASTELLAN_NOTIFICATION_ASYNC'),
    /** `/health/fresh` fails while ingest is further behind than this. */
    readyMaxLagSeconds: reader.get('CASTELLAN_READY_MAX_LAG_SECONDS'),
    /** Time in which a message written through the API must be stored. */
    writeTimeoutSeconds: reader.get('CASTELLAN_WRITE_TIMEOUT_SECONDS'),
  };
  reader.finish();
  const keys =
    profile === 'serve' ? { apiKey, masterKey } : readDevelopmentSecrets(store.dataDir, { masterKey, apiKey });
  return {
    ...config,
    /** All variables, without secrets, for those who run the service. */
    variables: variablesInForce(environment, profile),
    /** A key that the default app gets at the start. */
    apiKey: keys.apiKey,
    masterKey: withPrevious(keys.masterKey as MasterKey, previousKey),
  };
};

/** Everything a service is built from. */
export type Config = Readonly<ReturnType<typeof loadConfig>>;
export type TokenConfig = Config['tokens'];
export type TraceConfig = NonNullable<Config['tracing']>;
