import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
  /**
   * Restarts it, and resolves when it accepts connections again.
   * @param mode `fast` closes connections properly, `immediate` stops like a crash
   */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The server refuses to run as root; root can switch to the user that its package created. */
const serverUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
};

/**
 * Creates and starts a cluster.
 * @param password of the user `postgres`; absent: everybody is let in
 * @throws if there is no server (`serverPrograms`) or it does not start
 */
export const startCluster = async (password?: string): Promise<Cluster> => {
  if (serverPrograms === undefined) throw new Error(`there is no PostgreSQL server in ${INSTALLED}`);
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'castellan-cluster-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const call = (program: string, ...args: string[]) =>
    promisify(execFile)(join(serverPrograms as string, program), args, { ...user, cwd: folder });
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
  const control = (...args: string[]) =>
    call('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', settings, '-w', '-t', '60', ...args);
  const remove = async (): Promise<void> => {
    await control('stop', '-m', 'immediate').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password ?? '', { mode: 0o644 });
    const access = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    await call('initdb', '-D', data, '-U', 'postgres', ...access, '-E', 'UTF8', '--locale=C', '--no-sync');
    await control('start');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async (mode) => {
      await control('restart', '-m', mode);
    },
    remove,
  };
};
