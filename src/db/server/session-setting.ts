/** Settings of a session, by their names. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** @returns the settings as a session takes them when it is opened */
export const asOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/**
 * Settings with which the server gives up a client that is gone without notice within ten seconds, also one whose
 * transaction holds locks: TCP checks a silent connection after four seconds, data waits nine seconds for its
 * confirmation, and while a statement runs the server looks every two seconds whether the client is there. Systems that
 * lack one of the first four ignore it; the last exists on all systems but Windows.
 * @source https://www.postgresql.org/docs/15/runtime-config-connection.html
 */
export const LOST_CLIENT_SETTINGS: SessionSettings = {
  tcp_keepalives_idle: 4,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  tcp_user_timeout: 9_000,
  client_connection_check_interval: 2_000,
};
