import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './castellan.js';

/** Where distributions install PostgreSQL servers, a folder for each major version. */
const INSTALLED = '/usr/lib/postgresql';

/** Folder of the newest server's programs; undefined if none is installed. */
export const serverPrograms: string | undefined = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(INSTALLED, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')));

/** A PostgreSQL server for one test, which may restart it. */
export interface Cluster {
  /** Address of its database `postgres`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /**
   * Restarts it, and resolves when it accepts connections again.
   * @param mode `fast` closes connections properly, `immediate` stops like a crash
   */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Kills all of its processes (`kill -9`), as when its machine fails. */
  kill(): void;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Makes a standby the primary; resolves when it takes writes. */
  promote(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The server refuses to run as root; root can switch to the user that its package created. */
export const serverUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
};

/** How a cluster differs from others. */
export interface ClusterOptions {
  /** Settings of the server, as `max_connections=30`. */
  readonly settings?: readonly string[];
  /** Where its folder is made; that of temporary files unless given. */
  readonly parent?: string;
  /** A network namespace in which it runs, and its address there; only root can. */
  readonly network?: { readonly namespace: string; readonly address: string };
}

type Call = (program: string, ...args: string[]) => Promise<unknown>;

/** @returns how a program is called in a network namespace, which only root may enter, by another user */
const inNamespace = (namespace: string, program: string): readonly string[] => [
  ...['netns', 'exec', namespace, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program],
];

/**
 * Starts a cluster.
 * @param fill makes its data
 * @throws if there is no server (`serverPrograms`) or it does not start
 */
const startFilled = async (
  fill: (data: string, folder: string, call: Call) => Promise<unknown>,
  { settings: more = [], parent = tmpdir(), network }: ClusterOptions = {},
): Promise<Cluster> => {
  if (serverPrograms === undefined) throw new Error(`there is no PostgreSQL server in ${INSTALLED}`);
  const user = serverUser();
  const folder = mkdtempSync(join(parent, 'castellan-cluster-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const host = network?.address ?? '127.0.0.1';
  const call: Call = (program, ...args) => {
    const path = join(serverPrograms as string, program);
    return network
      ? promisify(execFile)('ip', [...inNamespace(network.namespace, path), ...args], { cwd: folder })
      : promisify(execFile)(path, args, { ...user, cwd: folder });
  };
  const chosen = [`listen_addresses=${host}`, `unix_socket_directories=${folder}`, 'fsync=off', ...more];
  const settings = `-p ${port} ${chosen.map((one) => `-c ${one}`).join(' ')}`;
  const control = (...args: string[]) =>
    call('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', settings, '-w', '-t', '60', ...args);
  const remove = async (): Promise<void> => {
    await control('stop', '-m', 'immediate').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await fill(data, folder, call);
    await control('start');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `postgres://postgres@${host}:${port}/postgres`,
    host,
    port,
    restart: async (mode) => {
      await control('restart', '-m', mode);
    },
    kill: () => {
      const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      // Sessions would otherwise complete the statement that they work on.
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const one of [pid, ...children]) process.kill(Number(one), 'SIGKILL');
    },
    start: async () => {
      // The killed process may be there as long as nobody has asked how it ended, and would count as another server.
      for (const lock of [join(data, 'postmaster.pid'), join(folder, `.s.PGSQL.${port}.lock`)])
        rmSync(lock, { force: true });
      await control('start');
    },
    promote: async () => {
      await control('promote');
    },
    remove,
  };
};

/**
 * Creates and starts a cluster.
 * @param password of the user `postgres`; absent: everybody is let in
 * @throws if there is no server (`serverPrograms`) or it does not start
 */
export const startCluster = (password?: string, options?: ClusterOptions): Promise<Cluster> =>
  startFilled(async (data, folder, call) => {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password ?? '', { mode: 0o644 });
    const access = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    await call('initdb', '-D', data, '-U', 'postgres', ...access, '-E', 'UTF8', '--locale=C', '--no-sync');
    // By default only this machine is let in.
    if (options?.network) appendFileSync(join(data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust\n');
  }, options);

/** Copies a cluster that lets everybody in, and starts the copy as its streaming standby. */
export const startStandby = (primary: Cluster): Promise<Cluster> =>
  startFilled((data, _folder, call) =>
    call('pg_basebackup', '-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'),
  );
