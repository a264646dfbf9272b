import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../error.js';
import { explainFolder } from './folder-error.js';

/** The path of a Unix socket may have 104 bytes on macOS and 108 on Linux, including the final NUL. */
const MAX_SOCKET_PATH_BYTES = 100;

/** One claim on a folder: the symbolic link `lock.<epoch>` to `<pid>:<name of a socket in the folder>`. */
interface Claim {
  readonly epoch: number;
  readonly pid: number;
  readonly socket: string;
}

export interface FolderLock {
  /** Sets the handler of connections from other processes; it also gets those that arrived before. */
  onConnection(answer: (socket: Socket) => void): void;
  /** Releases the folder. Call it last, when nothing in the folder is open. */
  release(): Promise<void>;
}

/** Thrown for a folder that another living process holds. */
export class FolderLockedError extends AppError {
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      'conflict',
      'FolderHeld',
      `The data folder ${folder} is in use by process ${pid}: stop it first, or set CASTELLAN_DATA_DIR to another folder.`,
    );
    this.pid = pid;
  }
}

/** Calls `use` with a path of the socket that is short enough, if necessary through a temporary link to the folder. */
const withAddress = <T>(folder: string, socket: string, use: (address: string) => T): T => {
  const address = join(folder, socket);
  if (Buffer.byteLength(address) <= MAX_SOCKET_PATH_BYTES) return use(address);
  const detour = mkdtempSync(join(tmpdir(), 'castellan-'));
  try {
    symlinkSync(folder, join(detour, 'd'));
    // Bind and connect resolve the path before they return, so the link can be removed immediately.
    return use(join(detour, 'd', socket));
  } finally {
    rmSync(detour, { recursive: true });
  }
};

/** @returns all claims, the newest first. */
const readClaims = (folder: string): Claim[] => {
  const claims: Claim[] = [];
  for (const name of readdirSync(folder)) {
    const epoch = /^lock\.(\d{1,15})$/.exec(name)?.[1];
    if (epoch === undefined) continue;
    try {
      const target = /^(\d+):(service\.[0-9a-f]+\.sock)$/.exec(readlinkSync(join(folder, name)));
      if (!target) throw new AppError('conflict', 'FolderDamaged', `${join(folder, name)} was not made by Castellan.`);
      claims.push({ epoch: Number(epoch), pid: Number(target[1]), socket: target[2] as string });
    } catch (error) {
      // A claim is only removed when a newer one replaced it, which a new listing will contain.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return readClaims(folder);
      throw error;
    }
  }
  return claims.sort((a, b) => b.epoch - a.epoch);
};

/** @returns a connection to the claim's process; undefined when it has ended. @throws when it cannot be used */
const connectTo = (folder: string, claim: Claim): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = withAddress(folder, claim.socket, (address) => createConnection(address));
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });

const isAlive = async (folder: string, claim: Claim): Promise<boolean> => {
  try {
    const socket = await connectTo(folder, claim);
    socket?.destroy();
    return socket !== undefined;
  } catch {
    // Permission denied, or too many connections: either way a process is listening.
    return true;
  }
};

/**
 * Connects to the process that holds a folder.
 * @returns undefined when no process holds it
 * @throws the socket's error when this user may not connect to the process
 */
export const connectToLockOwner = async (folder: string): Promise<Socket | undefined> => {
  let newest: Claim | undefined;
  try {
    newest = readClaims(folder)[0];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return newest && (await connectTo(folder, newest));
};

interface Listener {
  readonly name: string;
  onConnection(answer: (socket: Socket) => void): void;
  close(): Promise<void>;
}

/** Passes a connection to its handler; it was paused before, so no data is lost. */
const dispatchConnection = (socket: Socket, answer: (socket: Socket) => void): void => {
  answer(socket);
  socket.resume();
};

const listen = async (folder: string): Promise<Listener> => {
  const name = `service.${randomBytes(6).toString('hex')}.sock`;
  const open = new Set<Socket>();
  const early = new Set<Socket>();
  let answer: ((socket: Socket) => void) | undefined;
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    // A process that only checks whether this one is alive disconnects immediately.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket) && early.delete(socket));
    open.add(socket);
    if (answer) dispatchConnection(socket, answer);
    else early.add(socket);
  });
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const mask = process.umask(0o177);
  try {
    withAddress(folder, name, (address) => server.listen(address));
  } finally {
    process.umask(mask);
  }
  await listening;
  server.unref();
  return {
    name,
    onConnection: (next) => {
      answer = next;
      for (const socket of early) dispatchConnection(socket, next);
      early.clear();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(join(folder, name), { force: true });
    },
  };
};

/** @throws AppError in words if the folder cannot be made or written */
const openListener = async (folder: string): ReturnType<typeof listen> => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await listen(folder);
  } catch (error) {
    throw explainFolder(folder, error);
  }
};

/**
 * Locks a folder for this process; a crash of the holder releases the lock.
 *
 * A holder listens on a socket in the folder, which the kernel closes with the process: connecting to it shows whether
 * the holder is alive, without a timeout and without relying on process ids. Claims are numbered links, created
 * atomically; the newest decides. A process whose predecessor is dead creates the claim with the next number, so only
 * one of several processes succeeds. The claim is valid only if there is no newer one afterwards, because its number
 * may have been used and removed in between. The newest claim is never removed, not even by its holder, so numbers only
 * grow.
 *
 * @param folder absolute path; created with mode 0700 when missing
 * @throws FolderLockedError when another process holds it, AppError if the folder cannot be used
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  const listener = await openListener(folder);
  try {
    for (;;) {
      const [newest] = readClaims(folder);
      if (newest && (await isAlive(folder, newest))) throw new FolderLockedError(folder, newest.pid);
      const epoch = (newest?.epoch ?? 0) + 1;
      const link = join(folder, `lock.${epoch}`);
      try {
        symlinkSync(`${process.pid}:${listener.name}`, link);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        throw error;
      }
      const [first, ...older] = readClaims(folder);
      if (first?.epoch === epoch) {
        await removeStaleClaims(folder, older);
        return { onConnection: listener.onConnection, release: listener.close };
      }
      rmSync(link, { force: true });
    }
  } catch (error) {
    await listener.close();
    throw error;
  }
};

const removeStaleClaims = async (folder: string, claims: readonly Claim[]): Promise<void> => {
  for (const claim of claims) {
    // A living process lost the same race and removes its own claim.
    if (await isAlive(folder, claim)) continue;
    rmSync(join(folder, claim.socket), { force: true });
    rmSync(join(folder, `lock.${claim.epoch}`), { force: true });
  }
};
