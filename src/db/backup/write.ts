import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { AppError } from '../../error.js';
import type { Database } from '../database.js';
import { BACKUP_FORMAT, type BackupHeader, DATABASE_PREFIX, DIGESTS_ENTRY, HEADER_ENTRY } from './format.js';
import { explained, giveName, requireAbsent } from './output-file.js';
import { isSystemError } from './system-error.js';

const CHUNK_BYTES = 256 * 1024;
/** Files of private data. */
const MODE = 0o600;
/** The fastest: a third of the size of the database, in a thread of its own. */
const LEVEL = 1;

const LOG = 'pg_wal';
/** Read last, and once everything else is there. */
const CONTROL = join('global', 'pg_control');
/** The process's own state, which means nothing to another one; as pg_basebackup leaves it out. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|.*pg_internal\.init.*)$/;
const EMPTY_FOLDERS =
  /^(?:pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|.*pgsql_tmp.*)$/;

/** What a backup has. */
export interface BackupReport extends BackupHeader {
  readonly files: number;
  /** Of these, before they are compressed. */
  readonly bytes: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** @returns as many bytes of a file from a place on; zeros beyond its end */
const readChunk = async (handle: FileHandle, at: number, bytes: number): Promise<Buffer> => {
  const chunk = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await handle.read(chunk, done, bytes - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return chunk;
};

/** Adds entries to an archive one by one, at the pace at which it is written. */
const createArchive = (archive: Pack, progress: (bytes: number) => void, signal: AbortSignal) => {
  const digests: Record<string, string> = {};
  let bytes = 0;
  /** An entry that ends with its archive emits an error of its own; that of the archive is reported. */
  const ignoreErrors = (entry: Writable): Writable => entry.on('error', () => undefined);
  const addText = (name: string, text: string): void => void ignoreErrors(archive.entry({ name, mode: MODE }, text));
  /** Adds as many bytes as the file has now: what is appended later is in the write-ahead log, and what is cut off is zeros. */
  const addFile = async (handle: FileHandle, path: string): Promise<void> => {
    const { size } = await handle.stat();
    const entry = ignoreErrors(archive.entry({ name: `${DATABASE_PREFIX}${path}`, mode: MODE, size }));
    const hash = createHash('sha256');
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const chunk = await readChunk(handle, at, Math.min(CHUNK_BYTES, size - at));
      hash.update(chunk);
      at += chunk.length;
      if (!entry.write(chunk)) await once(entry, 'drain', { signal });
      bytes += chunk.length;
      progress(bytes);
    }
    entry.end();
    digests[path] = hash.digest('hex');
  };
  return {
    addText,
    addFolder: (path: string): void =>
      void ignoreErrors(archive.entry({ name: `${DATABASE_PREFIX}${path}`, type: 'directory', mode: 0o700 })),
    /** Files that are deleted meanwhile are left out: the write-ahead log deletes them, too. */
    addFile: async (folder: string, path: string): Promise<void> => {
      const handle = await open(join(folder, path)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      if (handle === undefined) return;
      try {
        await addFile(handle, path.split(sep).join('/'));
      } finally {
        await handle.close();
      }
    },
    addLabel: (text: string): void => {
      digests.backup_label = createHash('sha256').update(text).digest('hex');
      addText(`${DATABASE_PREFIX}backup_label`, text);
    },
    finish: (): { readonly files: number; readonly bytes: number } => {
      addText(DIGESTS_ENTRY, JSON.stringify(digests));
      archive.finalize();
      return { files: Object.keys(digests).length, bytes };
    },
  };
};
type Archive = ReturnType<typeof createArchive>;

const addData = async (archive: Archive, folder: string, signal: AbortSignal): Promise<void> => {
  const walk = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      signal.throwIfAborted();
      const below = join(path, entry.name);
      if (LEFT_OUT.test(below) || below === CONTROL) continue;
      if (!entry.isDirectory()) await archive.addFile(folder, below);
      else {
        archive.addFolder(below);
        if (below !== LOG && !EMPTY_FOLDERS.test(below)) await walk(below);
      }
    }
  };
  await walk('');
  await archive.addFile(folder, CONTROL);
};

const addLog = async (archive: Archive, folder: string, signal: AbortSignal): Promise<void> => {
  for (const entry of await readdir(join(folder, LOG), { withFileTypes: true })) {
    signal.throwIfAborted();
    const path = join(LOG, entry.name);
    if (entry.isDirectory()) archive.addFolder(path);
    else await archive.addFile(folder, path);
  }
};

/** @throws AppError for a database that has other means, or is in memory */
const requireFolder = ({ kind, backUp }: Database): NonNullable<Database['backUp']> => {
  if (backUp !== undefined) return backUp;
  const message =
    kind === 'postgres'
      ? 'This database is a PostgreSQL server: back it up with pg_dump, or with a base backup and its write-ahead log (docs/operating.md, "Backup").'
      : 'This database is in memory alone: there is nothing to back up.';
  throw new AppError('conflict', 'NotEmbedded', message);
};

/** @returns an error of reading the database in words; any other one unchanged */
const explainDatabase = (error: unknown): unknown =>
  isSystemError(error)
    ? new AppError('conflict', 'DatabaseNotRead', `The database could not be read: ${error.message}.`, { cause: error })
    : error;

/**
 * Writes a backup of an embedded database to a new file, which only its owner can read, while the database is used. The
 * file has its name only when it is complete and on the disk.
 * @param file absolute path
 * @param options `progress` is called with the bytes that were read
 * @throws AppError for a server, for a file that exists or cannot be written, for a database that cannot be read, and while
 *   another backup is made
 */
export const writeBackup = async (
  db: Database,
  file: string,
  options: {
    readonly version: string;
    readonly now: Date;
    readonly progress: (bytes: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<BackupReport> => {
  const backUp = requireFolder(db);
  const { signal } = options;
  const partial = `${file}.partial-${randomBytes(4).toString('hex')}`;
  const [row] = await db.run<{ server_version: string }>('show server_version');
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    castellan: options.version,
    postgres: row?.server_version ?? '',
    at: options.now.toISOString(),
  };
  await explained(file, requireAbsent(file));
  const handle = await explained(file, open(partial, 'wx', MODE));
  const archive = pack();
  // Aborted when the file cannot be written, or the copy has failed: neither waits for the other.
  const failure = new AbortController();
  const ending = AbortSignal.any([signal, failure.signal]);
  const fail = (error: unknown): never => {
    failure.abort(error);
    throw error;
  };
  // It closes the file in any case, and has it on the disk before.
  const output = handle.createWriteStream({ flush: true });
  const written = explained(file, pipeline(archive, createGzip({ level: LEVEL }), output, { signal: ending })).catch(
    fail,
  );
  const entries = createArchive(archive, options.progress, ending);
  entries.addText(HEADER_ENTRY, JSON.stringify(header));
  let found = { files: 0, bytes: 0 };
  const copied = backUp({
    copyData: (folder) => addData(entries, folder, ending),
    copyLog: async (folder, label) => {
      await addLog(entries, folder, ending);
      entries.addLabel(label);
      found = entries.finish();
    },
  }).catch((error: unknown) => fail(explainDatabase(error)));
  try {
    await Promise.allSettled([written, copied]);
    signal.throwIfAborted();
    failure.signal.throwIfAborted();
    await explained(file, giveName(partial, file));
    return { ...header, ...found };
  } finally {
    await rm(partial, { force: true });
  }
};
