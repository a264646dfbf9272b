import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delay } from '../../test/support/delay.js';
import { connectToLockOwner, FolderLockedError, lockFolder } from './lock.js';

const work = mkdtempSync(join(tmpdir(), 'castellan-lock-'));
const program = join(work, 'hold.mjs');
const children = new Set<ChildProcess>();

beforeAll(async () => {
  await build({
    stdin: {
      // Prints the result and then waits until it is killed or its input ends.
      contents: `
        import { lockFolder } from './lock.js';
        try {
          const lock = await lockFolder(process.argv[2]);
          console.log('held');
          process.stdin.resume().on('end', async () => { await lock.release(); console.log('released'); });
        } catch (error) {
          console.log(error.pid === undefined ? 'failed ' + error.stack : 'refused ' + error.pid);
        }`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    logLevel: 'error',
  });
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(work, { recursive: true });
});

let folders = 0;
const newFolder = (): string => join(work, `data-${folders++}`);

interface LockContender {
  readonly child: ChildProcess;
  readonly outcome: string;
}

/** Starts a process that tries to lock the folder, and waits for its result. */
const contend = async (folder: string): Promise<LockContender> => {
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const [outcome] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, outcome };
};

const kill = async ({ child }: LockContender): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

describe('lockFolder', () => {
  it('lets exactly one of 20 processes in, names it to the others, and is free at once after kill -9, again and again', async () => {
    const folder = newFolder();
    for (let round = 0; round < 2; round++) {
      const contenders = await Promise.all(Array.from({ length: 20 }, () => contend(folder)));
      const winners = contenders.filter((one) => one.outcome === 'held');
      expect(winners).toHaveLength(1);
      const [winner] = winners as [LockContender];
      const refused = contenders.filter((one) => one !== winner).map((one) => one.outcome);
      expect(new Set(refused)).toEqual(new Set([`refused ${winner.child.pid}`]));
      await kill(winner);
    }
    const next = await contend(folder);
    expect(next.outcome).toBe('held');
    await kill(next);
    // Old sockets and claims must not accumulate: only those of the last holder exist.
    expect(
      readdirSync(folder)
        .map((name) => name.replace(/[0-9a-f]{12}/, 'x'))
        .sort(),
    ).toEqual([expect.stringMatching(/^lock\.\d+$/), 'service.x.sock']);
  });

  it('never has two holders while holders are killed and starters pour in', async () => {
    const folder = newFolder();
    let holders = 0;
    let most = 0;
    let turns = 0;
    const client = async (): Promise<void> => {
      while (turns < 16) {
        const one = await contend(folder);
        if (one.outcome !== 'held') {
          expect(one.outcome).toMatch(/^refused \d+$/);
          continue;
        }
        turns++;
        most = Math.max(most, ++holders);
        await delay(20);
        holders--;
        // Every other holder releases the lock properly.
        if (turns % 2 === 0) await kill(one);
        else {
          one.child.stdin?.end();
          await once(one.child, 'exit');
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, client));
    expect(most).toBe(1);
  });

  it('lets go when released, in this process too', async () => {
    const folder = newFolder();
    const first = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderLockedError);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await first.release();
    expect(await connectToLockOwner(folder)).toBeUndefined();
    const second = await lockFolder(folder);
    await second.release();
  });

  it('works in a folder whose path is longer than the address of a socket may be', async () => {
    const folder = join(newFolder(), 'a'.repeat(120), 'b'.repeat(120));
    mkdirSync(folder, { recursive: true });
    const lock = await lockFolder(folder);
    lock.onConnection((socket) => socket.end('hello'));
    const socket = await connectToLockOwner(folder);
    const heard: Buffer[] = [];
    for await (const chunk of socket ?? []) heard.push(chunk as Buffer);
    expect(Buffer.concat(heard).toString()).toBe('hello');
    expect((await contend(folder)).outcome).toBe(`refused ${process.pid}`);
    await lock.release();
  });

  it('holds early connections until there is a handler', async () => {
    const folder = newFolder();
    const lock = await lockFolder(folder);
    const socket = await connectToLockOwner(folder);
    socket?.write('question');
    // The question arrives while nobody listens.
    await delay(50);
    const asked = new Promise<string>((resolve) =>
      lock.onConnection((server) => server.on('data', (data) => resolve(String(data)))),
    );
    expect(await asked).toBe('question');
    await lock.release();
  });

  it('is open to its owner alone', async () => {
    const folder = newFolder();
    const lock = await lockFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const socket = readdirSync(folder).find((name) => name.endsWith('.sock')) as string;
    expect(statSync(join(folder, socket)).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  it('connects to no process in a folder that does not exist', async () => {
    expect(await connectToLockOwner(join(work, 'nowhere'))).toBeUndefined();
  });
});
