import type { ClientBase, QueryConfig } from 'pg';

/**
 * Milliseconds after which a connection counts as lost if a statement without any work has no response. A firewall or a
 * host that fails may end a connection without notice, and TCP itself gives up only after a quarter of an hour.
 */
const CHECK_TIMEOUT_MS = 3_000;

/**
 * A statement to send to a client before another one: a lost connection shows while nothing is stored yet.
 * @param text a statement with hardly any work: `begin`, `select 1`
 */
export const checkQuery = (text: string): QueryConfig => {
  // pg's types lack this option of a single statement.
  const query: QueryConfig & { readonly query_timeout: number } = { text, query_timeout: CHECK_TIMEOUT_MS };
  return query;
};

/** @throws the driver's error if the connection is lost */
export const checkClient = async (client: ClientBase): Promise<void> => {
  await client.query(checkQuery('select 1'));
};
