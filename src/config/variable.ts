import { availableParallelism } from 'node:os';
import {
  absolutePath,
  absolutePaths,
  anyText,
  fidList,
  flag,
  httpUrl,
  hubAddress,
  integer,
  ipRanges,
  oneOf,
  orderedChoices,
  type Parse,
  portOrOff,
  rpcEndpoints,
  secret,
  secretUrl,
  tokenCollection,
} from './parse.js';
import { MasterKey, type Secret } from './secret.js';
import { ACCOUNT_VARIABLES } from './variable/account.js';
import { DATA_VARIABLES } from './variable/data.js';
import { EVENT_VARIABLES } from './variable/event.js';
import { FUNGIBLE_VARIABLES } from './variable/fungible.js';
import { HUB_RPC_VARIABLES } from './variable/hub-rpc.js';
import { IMAGE_VARIABLES } from './variable/image.js';
import { MODEL_VARIABLES } from './variable/model.js';
import { REQUEST_VARIABLES } from './variable/request.js';
import { STP_VARIABLES } from './variable/stp.js';
import { TRACE_VARIABLES } from './variable/trace.js';
import { X402_VARIABLES } from './variable/x402.js';
import { byProfile, optional, type Profile, type Variable, variable } from './variable-row.js';

const masterKey: Parse<MasterKey> = (text, report) =>
  MasterKey.parse(text) ??
  report(
    'is not 32 bytes as 64 hex digits or base64. Make one with `openssl rand -hex 32`, keep it as long as the database.',
  );

export const ROLES = ['api', 'ingest', 'job'] as const;
/** A part of the work that a process may leave to others on the same database. */
export type Role = (typeof ROLES)[number];

const HEADER_TEXT = /^[\x21-\x7e]{1,256}$/;

const listening = {
  HOST: optional(
    anyText,
    'Address to listen on. `dev` rejects addresses other than loopback without `--expose`.',
    '127.0.0.1',
  ),
  PORT: variable(integer(1, 65_535), 3000, 'Port of the interface.'),
  PUBLIC_URL: optional(
    httpUrl,
    'Address by which clients reach the service. Every URL that it hands out starts with it.',
    'required by `serve`',
  ),
  CASTELLAN_EXPOSE: variable(flag, false, 'Same as `dev --expose`: listen on all addresses of this machine.'),
  CASTELLAN_HUB_HTTP_PORT: variable<number | 'off'>(
    portOrOff,
    'off',
    'Additional port that serves only the operations of a hub (`/v1/...`).',
  ),
  ...HUB_RPC_VARIABLES,
  CASTELLAN_METRICS_HOST: variable(anyText, '127.0.0.1', 'Address on which `/metrics` (Prometheus) listens.'),
  CASTELLAN_METRICS_PORT: variable<number | 'off'>(
    portOrOff,
    9464,
    'Port of `/metrics` and of the [health](operating.md#health) for probes, or `off`. In development, the next free port unless it is set.',
  ),
  CASTELLAN_TRUSTED_PROXIES: variable<readonly string[]>(
    ipRanges,
    [],
    'Addresses and networks (CIDR) of your reverse proxies, separated by commas. Only their `X-Forwarded-For` is believed. Requests without a key are limited by client address.',
    'none',
  ),
  CASTELLAN_COMPRESSION: variable(
    flag,
    true,
    'Whether responses of 4 KiB and more are compressed for clients that accept it. Turn it off behind a proxy that does so.',
  ),
  CASTELLAN_LOG_LEVEL: byProfile(
    oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'),
    { dev: 'warn', serve: 'info' },
    '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`.',
  ),
  CASTELLAN_ACCESS_LOG: variable(
    flag,
    false,
    'Whether each request is logged when it has been answered: request id, key id, operation, status, compute units, milliseconds.',
  ),
  CASTELLAN_REQUEST_LOG: variable(
    flag,
    true,
    'Whether requests with a key can be looked up for an hour, without their bodies ([request log](operating.md#request-log)).',
    'on',
  ),
  CASTELLAN_READY_MAX_LAG_SECONDS: variable(
    integer(1, 86_400),
    300,
    '`/health/fresh` fails while the store is further behind the hub, or a [broker](event-sink.md) behind the event log, than this.',
  ),
};

const processes = {
  CASTELLAN_WORKERS: optional(
    integer(1, 256),
    'Processes that answer requests, behind one port. With more than one, two further processes follow the hub (if there is one) and run the jobs. Needs `DATABASE_URL`. Same as `serve --workers`.',
    'cores - 1, at least 1 and at most 3; 1 without `DATABASE_URL`; `dev`: 1',
  ),
  CASTELLAN_ROLE: variable<readonly Role[]>(
    orderedChoices(...ROLES),
    ROLES,
    'What this service does, of `api`, `ingest` (follow the hub) and `job` (jobs and deliveries), separated by commas. Everything must be done by some service on the database. Same as `serve --role`.',
    'all',
  ),
};

const miniApps = {
  CASTELLAN_NOTIFICATION_ASYNC: variable(
    flag,
    true,
    'Whether a notification to more than 100 tokens of a mini app is answered at once with 202 and sent afterwards. Without it, the request waits for the hosts, and more than 1000 tokens are refused.',
    'on',
  ),
};

const keys = {
  CASTELLAN_MASTER_KEY: optional(
    masterKey,
    '32 bytes as hex or base64, which seal stored secrets and sign cursors. `dev` generates one.',
    'required by `serve`',
  ),
  CASTELLAN_MASTER_KEY_PREVIOUS: optional(
    masterKey,
    'The former master key while it is [changed](operating.md#changing-the-master-key): it opens what it sealed.',
  ),
  CASTELLAN_API_KEY: optional(
    secret(HEADER_TEXT, 'does not fit in a header: use up to 256 visible ASCII characters without spaces.'),
    'API key of the default app, with all scopes, also `wallet`, but `operator` only in development. A new value revokes the former key at the next start, so all services on a database need the same one. `serve` requires at least 24 random characters. `dev` generates one in the file `api-key` of the data folder.',
  ),
};

const hub = {
  CASTELLAN_HUB_URL: optional(hubAddress, 'The hub to follow: `grpc://host:port`, or `grpcs://host:port` with TLS.'),
  CASTELLAN_HUB_NETWORK: byProfile(
    oneOf('mainnet', 'testnet', 'devnet'),
    { dev: 'devnet', serve: 'mainnet' },
    '`mainnet`, `testnet` or `devnet`: the network whose messages are accepted. Testnet and devnet accept messages of every network.',
  ),
  CASTELLAN_FIDS: optional(
    fidList,
    'Partial mode: index only these accounts, and what is addressed to them. Numbers, separated by commas (also `--fids`).',
  ),
  CASTELLAN_FIDS_FILE: optional(
    anyText,
    'File of further accounts for partial mode; text after `#` is a comment (also `--fids-file`).',
  ),
  CASTELLAN_CHANNEL_REGISTRAR: optional(
    tokenCollection,
    'Where channels of the protocol are registered: `eip155:<chain>/erc721:<address>`. Without it they are stored but not shown ([protocol channels](channels-protocol.md)).',
  ),
  CASTELLAN_PROTOCOL_CHANNELS: variable(
    flag,
    false,
    'Whether follows of channels of the protocol are written, as likes of their URLs. No public network has such channels yet.',
    'off',
  ),
  CASTELLAN_VERIFY_THREADS: variable(
    integer(1, 64),
    // One core is left for the event loop, which writes a batch while the next one is verified.
    Math.max(1, Math.min(8, availableParallelism() - 1)),
    'Threads that verify hashes and signatures.',
    'cores - 1, at most 8',
  ),
  CASTELLAN_WRITE_TIMEOUT_SECONDS: variable(
    integer(1, 60),
    5,
    'Time in which a message written through the API must be stored. After it, the response is 504 with an unknown outcome.',
  ),
  CASTELLAN_WIRE_NAMES: variable(
    oneOf('neutral', 'ecosystem'),
    'neutral',
    '`neutral` or `ecosystem`: names used by paths outside `/v2/social/` and `/v2/farcaster/`, and in calls to host apps ([wire names](wire-names.md)).',
  ),
};

const crawl = {
  CASTELLAN_CRAWL: variable(
    flag,
    true,
    'Whether pages and manifests of domains that casts embed, and metadata of subscription contracts, are fetched in the background. `fetch-embedded-url-metadata` fetches in any case.',
  ),
};

const channels = {
  CASTELLAN_CHANNEL_SOURCE: variable(
    oneOf('local', 'client'),
    'local',
    '`local`: this service decides about its channels. `client`: it mirrors those of a client and passes follows and invites on to it ([mirrored channels](channels-client.md)).',
  ),
  CASTELLAN_CHANNEL_CLIENT_URL: variable(
    httpUrl,
    'https://api.farcaster.xyz',
    'With `client`: the address of its interface. It may be on this machine, also over http.',
  ),
};

const billing = {
  CASTELLAN_RATE_LIMIT_PER_MINUTE: optional(
    integer(0, 1_000_000),
    'Requests per minute for each key and operation, whatever the plan. 0 means no limit.',
    'the limit of the plan',
  ),
  CASTELLAN_RATE_LIMIT_STORE: optional(
    oneOf('memory', 'postgres', 'redis'),
    '`memory`, `postgres` or `redis`: where requests are counted. The last two are shared by all processes.',
    '`redis` with `REDIS_URL`, else `postgres` with `DATABASE_URL`, else `memory`',
  ),
  REDIS_URL: optional(
    secretUrl(/^rediss?:\/\//, 'is not of the form redis://user:password@host:6379 (rediss:// with TLS).'),
    'Redis server for rate limits: `redis://user:password@host:6379`, or `rediss://` with TLS.',
  ),
  CASTELLAN_QUOTA_MODE: variable(
    oneOf('enforce', 'observe', 'off'),
    'observe',
    '`enforce`: calls above the compute units of the plan are rejected with 402. `observe`: usage is counted only. `off`: it is not counted ([billing](billing.md)).',
  ),
  CASTELLAN_PLANS_FILE: optional(
    absolutePath,
    'The plans to which organizations can subscribe. The service does not start with an invalid file.',
    'the plans of the package',
  ),
  CASTELLAN_DEFAULT_PLAN: byProfile(
    anyText,
    { dev: 'enterprise', serve: 'free' },
    'Id of the plan of organizations without a subscription.',
  ),
  CASTELLAN_PAYMENT_PROVIDER: optional(
    oneOf('ledger', 'stripe'),
    '`ledger`: invoices only, without payments; `stripe`: payments through Stripe.',
    'ledger',
  ),
  CASTELLAN_LEDGER_SETTLEMENT: variable(
    oneOf('paid', 'open'),
    'paid',
    'With `ledger`: invoices are `paid` by bank transfer at once, or `open` until an operator marks them as paid.',
  ),
  CASTELLAN_STRIPE_SECRET_KEY: optional(
    secret(/^[sr]k_[\x21-\x7e]+$/, 'does not look like a secret key (sk_...) from the dashboard of Stripe.'),
    'Secret key (`sk_...`) from the dashboard of Stripe.',
    'required with `stripe`',
  ),
  CASTELLAN_STRIPE_WEBHOOK_SECRET: optional(
    secret(
      /^whsec_[\x21-\x7e]+$/,
      'does not look like the signing secret (whsec_...) of the webhook from the dashboard of Stripe.',
    ),
    'Signing secret (`whsec_...`) of the webhook from the dashboard of Stripe.',
    'required with `stripe`',
  ),
};

const rpc = (network: string): Variable<readonly Secret[] | undefined> =>
  optional(
    rpcEndpoints,
    `JSON-RPC endpoints of ${network}, http or https, separated by commas and tried in this order. They are kept secret. Without any, requests that need the network are a 400, accounts and storage (OP Mainnet) a 501, and lists over several networks leave it out. With the local chain of \`dev\`, none is needed.`,
  );

const onchain = {
  CASTELLAN_RPC_ETHEREUM: rpc('Ethereum'),
  CASTELLAN_RPC_OPTIMISM: rpc('OP Mainnet'),
  CASTELLAN_RPC_BASE: rpc('Base'),
  CASTELLAN_RPC_ARBITRUM: rpc('Arbitrum One'),
  CASTELLAN_RPC_ROBINHOOD: rpc('Robinhood Chain'),
  CASTELLAN_RPC_BASE_SEPOLIA: rpc('Base Sepolia'),
  CASTELLAN_MAX_FEE_GWEI: optional(
    integer(1, 1_000_000),
    'Highest fee for a unit of gas on any network. Above it, nothing is sent (`FeeTooHigh`).',
    '500 on `ethereum` and `base-sepolia`, 50 elsewhere',
  ),
  CASTELLAN_TOKEN_LIST: variable<readonly string[]>(
    absolutePaths,
    [],
    'Files of tokens in the format of tokenlists.org, separated by commas. They take precedence over the tokens known without a list (USDC, EURC, WETH, USDT, cbBTC). The service does not start with an invalid file.',
    'none',
  ),
  CASTELLAN_PRICE_SOURCE: byProfile<readonly ('onchain' | 'api')[]>(
    orderedChoices('onchain', 'api'),
    { dev: [], serve: ['onchain', 'api'] },
    'Sources of prices in order: `onchain` price feeds, an `api`, or `off`.',
  ),
  CASTELLAN_PRICE_API_URL: optional(
    httpUrl,
    'Price service with the interface of the default one. It learns which tokens are requested, but not by whom.',
    'https://coins.llama.fi',
  ),
  CASTELLAN_PRICE_FILE: optional(
    absolutePath,
    'Fixed prices, which take precedence: `{"prices": [{"chainId": 8453, "address": "0x...", "price_usd": "1.25"}]}`.',
  ),
  ...STP_VARIABLES,
};

const development = {
  CASTELLAN_LOCAL_CHAIN: byProfile(
    oneOf('on', 'off'),
    { dev: 'on', serve: 'off' },
    'Use a chain on this machine for every network without `CASTELLAN_RPC_*` (also `--local-chain`).',
  ),
  CASTELLAN_ALLOW_LOOPBACK_TARGETS: byProfile(
    flag,
    { dev: true, serve: false },
    'Allow webhooks, actions, mini apps and links on this machine, also over http. With `--expose` only if it is set, because then others may use the service.',
  ),
};

/** The commands read it before they know which service they belong to. */
const commands = {
  CASTELLAN_URL: optional(
    httpUrl,
    'Address of the service to which `castellan mcp` and `castellan redirect` send requests.',
    '`PUBLIC_URL`, else http://127.0.0.1:3000',
  ),
};

/** Titles of docs/configuration.md with their variables. */
export const VARIABLE_GROUPS = {
  'Listening and logging': listening,
  Traces: TRACE_VARIABLES,
  Processes: processes,
  Data: DATA_VARIABLES,
  Keys: keys,
  'Hub and messages': hub,
  'Embedded pages': crawl,
  Channels: channels,
  Models: MODEL_VARIABLES,
  'Events, webhooks and streams': EVENT_VARIABLES,
  'Mini apps': miniApps,
  'Requests at once': REQUEST_VARIABLES,
  'Limits, plans and payments': billing,
  'Networks and prices': onchain,
  'Accounts and storage': ACCOUNT_VARIABLES,
  Tokens: FUNGIBLE_VARIABLES,
  'Payments for x402 resources': X402_VARIABLES,
  'Images and mini apps': IMAGE_VARIABLES,
  'Only for `castellan dev`': development,
  'Commands that call a service': commands,
} as const;

export const VARIABLES = {
  ...listening,
  ...TRACE_VARIABLES,
  ...processes,
  ...DATA_VARIABLES,
  ...keys,
  ...hub,
  ...crawl,
  ...channels,
  ...MODEL_VARIABLES,
  ...EVENT_VARIABLES,
  ...miniApps,
  ...REQUEST_VARIABLES,
  ...billing,
  ...onchain,
  ...ACCOUNT_VARIABLES,
  ...FUNGIBLE_VARIABLES,
  ...X402_VARIABLES,
  ...IMAGE_VARIABLES,
  ...development,
  ...commands,
};
export type VariableName = keyof typeof VARIABLES;
export type ValueOf<Name extends VariableName> = (typeof VARIABLES)[Name]['defaults'][Profile];
