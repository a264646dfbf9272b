import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Entry, extract } from 'tar-stream';
import { AppError } from '../../error.js';
import {
  BACKUP_FORMAT,
  type BackupDigests,
  type BackupHeader,
  DATABASE_PREFIX,
  DIGESTS_ENTRY,
  HEADER_ENTRY,
} from './format.js';
import { isSystemError } from './system-error.js';

/** Of the two texts; the list of a database of 100,000 files is smaller. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Parts of paths as PostgreSQL names its files: none leads out of the folder. */
const PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

const damaged = (file: string, what: string, cause?: unknown): AppError =>
  new AppError('invalid', 'BackupDamaged', `${file} is no complete backup of Castellan: ${what}.`, { cause });

/** Two entries of an archive that cannot both be there: it was not made by `backup`. */
const CLASHES = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

/** @returns an error that says whether the file, or the folder, or what is in the file is to blame */
const explain = (file: string, folder: string, error: unknown): AppError => {
  if (!isSystemError(error)) return damaged(file, (error as Error).message, error);
  const { code, path, syscall, message } = error;
  const isOfFile = path === file || syscall === 'read';
  if (isOfFile && code === 'ENOENT') return new AppError('not_found', 'NoBackup', `There is no file ${file}.`);
  if (isOfFile)
    return new AppError('conflict', 'BackupNotRead', `${file} could not be read: ${message}.`, { cause: error });
  if (CLASHES.has(code)) return damaged(file, message, error);
  const text = `${folder} could not be written: ${message}. Nothing was changed.`;
  return new AppError('conflict', 'FolderNotWritten', text, { cause: error });
};

const readText = async (entry: Entry): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** @returns SHA-256 of the file, in hex */
const writeFile = async (entry: Entry, path: string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk);
      // Unlike `write`, until all of it is written.
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
};

const readHeader = (text: string, file: string): BackupHeader => {
  const header = JSON.parse(text) as BackupHeader;
  if (header.format === BACKUP_FORMAT) return header;
  const message = `${file} was made by version ${header.castellan} in a format that this version does not know: restore it with that version.`;
  throw new AppError('conflict', 'BackupOfOtherVersion', message);
};

/**
 * Unpacks a backup, and compares each file with its digest.
 * @param file absolute path
 * @param folder does not exist, or is empty; its content means nothing if this throws
 * @param progress called with the bytes that were written
 * @throws AppError if the file is missing, damaged or of another format, or the system does not let it be read or unpacked
 */
export const unpackBackup = async (
  file: string,
  folder: string,
  { progress, signal }: { readonly progress: (bytes: number) => void; readonly signal: AbortSignal },
): Promise<BackupHeader> => {
  let header: BackupHeader | undefined;
  let digests: BackupDigests | undefined;
  const found: Record<string, string> = {};
  let bytes = 0;
  const take = async (entry: Entry): Promise<void> => {
    const { name, type, size = 0 } = entry.header;
    if (header === undefined) {
      if (name !== HEADER_ENTRY) throw damaged(file, 'it begins with something else');
      header = readHeader(await readText(entry), file);
    } else if (name === DIGESTS_ENTRY) digests = JSON.parse(await readText(entry)) as BackupDigests;
    else {
      const path = name.startsWith(DATABASE_PREFIX) ? name.slice(DATABASE_PREFIX.length).replace(/\/$/, '') : '';
      if (!PATH.test(path)) throw damaged(file, `it contains ${JSON.stringify(name)}`);
      if (type === 'directory') await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
      else if (type === 'file') found[path] = await writeFile(entry, join(folder, path));
      else throw damaged(file, `${path} is a ${type}`);
      bytes += size;
      progress(bytes);
    }
    entry.resume();
  };
  try {
    const archive = extract();
    const unpacked = (async () => {
      for await (const entry of archive) await take(entry);
    })();
    unpacked.catch((error: unknown) => archive.destroy(error as Error));
    const read = pipeline(createReadStream(file), createGunzip(), archive, { signal });
    // Both end. If an entry cannot be taken, reading ends, too, with an error that says less.
    await Promise.allSettled([read, unpacked]);
    await unpacked;
    await read;
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    throw explain(file, folder, error);
  }
  if (header === undefined || digests === undefined) throw damaged(file, 'its end is missing');
  const paths = new Set([...Object.keys(digests), ...Object.keys(found)]);
  for (const path of paths) if (digests[path] !== found[path]) throw damaged(file, `${path} is not what was written`);
  return header;
};
