import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './castellan.js';
import { serverUser } from './cluster.js';
import { delay } from './delay.js';

const ATTEMPTS = 100;
const PAUSE_MS = 50;

/** PgBouncer in transaction mode, in front of all databases of a server. */
export interface Pooler {
  /** Address of the server's database, through the pooler. */
  readonly url: string;
  /** Sends a command to its console, as `PAUSE` or `RECONNECT`. */
  command<Row>(text: string): Promise<Row[]>;
  /** Ends it at once, and with it all connections. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/**
 * @param serverUrl of a server; with its password, which clients of the pooler do not need
 * @param settings more settings, as `default_pool_size = 2`
 */
export const startPooler = async (serverUrl: string, settings: readonly string[] = []): Promise<Pooler> => {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'castellan-pooler-'));
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  writeFileSync(users, `"${username}" ""\n`);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432}${password && ` password=${decodeURIComponent(password)}`}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `admin_users = ${username}`,
    'pool_mode = transaction',
    'max_prepared_statements = 1000',
    'max_client_conn = 1000',
    'default_pool_size = 20',
    ...settings,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  if (user) for (const path of [folder, config, users]) chownSync(path, user.uid, user.gid);
  const address = Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) });
  const admin = Object.assign(new URL(address), { pathname: '/pgbouncer' }).href;
  const command = async <Row>(text: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: admin });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn('pgbouncer', ['-q', config], { ...user, cwd: folder, stdio: 'ignore' });
    for (let attempt = 1; ; attempt++) {
      try {
        await command('show version');
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || child.exitCode !== null) throw error;
        await delay(PAUSE_MS);
      }
    }
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended(child);
  };
  await start();
  return {
    url: address.href,
    command,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
