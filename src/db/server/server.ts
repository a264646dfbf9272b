import type { DatabaseUrl } from '../../config/database-url.js';
import { columnTypes } from '../client-type.js';
import { type ServerClientConfig, serverClientType } from './client.js';
import { ServerConnections } from './connections.js';
import { HostSearch } from './host-search.js';
import { poolerClientType } from './pooler-client.js';
import type { SessionKind } from './session-kind.js';
import { asOptions, LOST_CLIENT_SETTINGS } from './session-setting.js';

/** Milliseconds after which TCP checks whether a connection without traffic still exists. */
const KEEP_ALIVE_MS = 4_000;
/** Milliseconds after the time limit of a statement in which the server must have responded. */
const RESPONSE_MS = 5_000;

/** Options of all connections. */
const COMMON = {
  types: columnTypes,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
};

/** @param options settings of the session that the address gives */
export const connectionConfig = (options: string) => ({
  ...COMMON,
  options: `${asOptions(LOST_CLIENT_SETTINGS)} ${options}`,
});

/** Where connections lead. */
export interface Server {
  readonly connections: ServerConnections;
  /** @returns the options of connections of a kind */
  config(kind: SessionKind): ServerClientConfig & { readonly connectionString: string };
}

const responseLimit = ({ limitMs }: SessionKind) =>
  limitMs === undefined ? {} : { query_timeout: limitMs + RESPONSE_MS };

const settingsOf = ({ settings, limitMs }: SessionKind) => ({
  ...settings,
  ...(limitMs !== undefined && { statement_timeout: limitMs }),
});

/** A server of PostgreSQL, or several of which one is chosen for each connection. */
export const createServer = (address: DatabaseUrl): Server => {
  const common = connectionConfig(address.options);
  const isChoice = address.urls.length > 1 || address.target !== 'any';
  const connections = new ServerConnections({ search: isChoice ? new HostSearch(address, common) : undefined });
  const connectionString = address.urls[0] as string;
  const Client = serverClientType(connections);
  return {
    connections,
    config: (kind) => ({
      ...common,
      ...responseLimit(kind),
      options: `${common.options} ${asOptions(settingsOf(kind))}`,
      connectionString,
      Client,
    }),
  };
};

/** A pooler that lends a session of its server for one transaction at a time, so that each brings its settings. */
export const createPooler = (address: DatabaseUrl): Server => {
  const connections = new ServerConnections({ isPooler: true });
  const connectionString = address.urls[0] as string;
  return {
    connections,
    config: (kind) => ({
      ...COMMON,
      ...responseLimit(kind),
      connectionString,
      Client: poolerClientType(connections, settingsOf(kind)),
    }),
  };
};
