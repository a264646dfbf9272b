/**
 * Settings of each session with which the server gives up a client that is gone without notice within ten seconds, also
 * one whose transaction holds locks: TCP checks a silent connection after four seconds, data waits nine seconds for its
 * confirmation, and while a statement runs the server looks every two seconds whether the client is there. Systems that
 * lack one of the first four ignore it; the last exists on all systems but Windows.
 * @source https://www.postgresql.org/docs/15/runtime-config-connection.html
 */
export const LOST_CLIENT_OPTIONS = [
  '-c tcp_keepalives_idle=4',
  '-c tcp_keepalives_interval=1',
  '-c tcp_keepalives_count=5',
  '-c tcp_user_timeout=9000',
  '-c client_connection_check_interval=2000',
].join(' ');
