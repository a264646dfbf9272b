import { resolve } from 'node:path';
import { parseDatabaseUrl } from './database-url.js';
import type { ConfigReader } from './reader.js';
import type { Secret } from './secret.js';
import type { Profile } from './variable-row.js';

/** Where a PostgreSQL server is. */
export interface ServerAddress {
  readonly url: Secret;
  /** Set if `url` is that of a pooler: the address of its server. */
  readonly directUrl?: Secret;
}

export interface DatabaseConfig {
  /** Absolute path of the folder for the embedded database, generated keys and sockets. */
  readonly dataDir: string;
  readonly database: ServerAddress | { readonly dataDir: string };
  /** Connections to a server. */
  readonly databaseConnections: {
    /** For transactions and single writes. */
    readonly poolSize: number;
    readonly readers: number;
    readonly slowReaders: number;
    readonly searchers: number;
  };
  /** Addresses of replicas, each of one host; empty if there are none. */
  readonly replicas: readonly Secret[];
}

export const readDataDir = (reader: ConfigReader): string => resolve(reader.get('CASTELLAN_DATA_DIR'));

/** Reports a production configuration without any database. */
export const requireDatabase = (reader: ConfigReader, profile: Profile): void => {
  if (profile !== 'serve' || reader.get('CASTELLAN_EMBEDDED') || reader.text('DATABASE_URL') !== undefined) return;
  const how = 'for a small installation, --embedded (CASTELLAN_EMBEDDED=true) uses the database in the data folder';
  reader.problem(
    'DATABASE_URL',
    `is required: a PostgreSQL server, postgres://user:password@host:5432/database; ${how}.`,
  );
};

/** A pooler has one address, chooses the server by itself, and gives its sessions to others, with their settings. */
const reportPooler = (reader: ConfigReader, url: Secret): void => {
  const { urls, options } = parseDatabaseUrl(url.reveal());
  if (urls.length > 1 || /[?&]target_session_attrs=/.test(url.reveal()))
    reader.problem(
      'DATABASE_URL',
      'has several hosts, or target_session_attrs: with CASTELLAN_DIRECT_URL it is the address of a pooler, which finds the primary. Write the hosts into CASTELLAN_DIRECT_URL.',
    );
  if (options !== '')
    reader.problem(
      'DATABASE_URL',
      'has options, or time limits, which a pooler does not pass on: set them for the user (alter role ... set ...).',
    );
};

export const readDatabase = (reader: ConfigReader): DatabaseConfig => {
  const dataDir = readDataDir(reader);
  const url = reader.get('DATABASE_URL');
  const directUrl = reader.get('CASTELLAN_DIRECT_URL');
  const replicas = reader.get('CASTELLAN_READ_URL') ?? [];
  const isNamed = reader.text('DATABASE_URL') !== undefined;
  if (replicas.length > 0 && !isNamed)
    reader.problem('CASTELLAN_READ_URL', 'needs DATABASE_URL: replicas are copies of a PostgreSQL server.');
  if (directUrl && !isNamed)
    reader.problem(
      'CASTELLAN_DIRECT_URL',
      'needs DATABASE_URL, the address of a pooler. Without one, set DATABASE_URL alone.',
    );
  if (directUrl && url) reportPooler(reader, url);
  return {
    dataDir,
    database: url ? { url, ...(directUrl && { directUrl }) } : { dataDir },
    databaseConnections: {
      poolSize: reader.get('CASTELLAN_DATABASE_POOL_SIZE'),
      readers: reader.get('CASTELLAN_DATABASE_READS'),
      slowReaders: reader.get('CASTELLAN_DATABASE_SLOW_READS'),
      searchers: reader.get('CASTELLAN_DATABASE_SEARCHES'),
    },
    replicas,
  };
};
