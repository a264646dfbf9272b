import { databaseUrl, replicaUrls } from '../database-url.js';
import { anyText, flag, integer } from '../parse.js';
import { optional, variable } from '../variable-row.js';

/** Where the data is, and how many connections lead to it. */
export const DATA_VARIABLES = {
  CASTELLAN_DATA_DIR: variable(
    anyText,
    './data',
    'Folder of the embedded database, the generated development keys and the control socket.',
  ),
  DATABASE_URL: optional(
    databaseUrl,
    'PostgreSQL server, version 15 or newer: `postgres://user:password@host:5432/database`, or [several hosts](operating.md#several-hosts-of-the-database), of which the primary is used. Without it, `dev` uses the embedded database in the data folder.',
    'required by `serve`',
  ),
  CASTELLAN_DIRECT_URL: optional(
    databaseUrl,
    'Address of the server itself, if `DATABASE_URL` is that of a [pooler in transaction mode](scaling.md#poolers) (PgBouncer 1.21 or newer). Each process opens one connection there, which a pooler could not keep.',
  ),
  CASTELLAN_READ_URL: optional(
    replicaUrls,
    'Streaming replicas of the database, from which [responses are read](scaling.md#reads-from-replicas): `postgres://user:password@one:5432,two:5432/database`, or several such addresses with spaces between them. Each opens connections of its own, as many for reads and searches as the primary.',
  ),
  CASTELLAN_EMBEDDED: variable(
    flag,
    false,
    'Whether `serve` may use the embedded database where `DATABASE_URL` is missing. It serves one process and does not sync to disk: a power failure may lose or damage it. Same as `serve --embedded`.',
  ),
  CASTELLAN_DATABASE_POOL_SIZE: variable(
    integer(2, 200),
    7,
    'Connections for transactions and single writes. Further ones are opened for reads and searches, two for keys and invalidations, one for the readiness check, and one for rate limits with `CASTELLAN_RATE_LIMIT_STORE=postgres` ([all connections](operating.md#connections-of-the-database)).',
  ),
  CASTELLAN_DATABASE_READS: variable(integer(1, 64), 2, 'Connections that all short reads share.'),
  CASTELLAN_DATABASE_SLOW_READS: variable(
    integer(1, 64),
    3,
    'Connections for reads that took too long on a shared connection, or waited for a lock there.',
  ),
  CASTELLAN_DATABASE_SEARCHES: variable(integer(1, 64), 2, 'Connections for searches and counts.'),
  CASTELLAN_CACHE_MB: variable(
    integer(0, 65_536),
    256,
    'Memory of the cache: two fifths for whole responses, the rest for accounts, casts, hub messages and lists of ids. With 0, every response is read and rendered again.',
  ),
};
