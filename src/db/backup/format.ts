/**
 * A backup is a compressed archive (tar, gzip): first this header, then the files of the database below `database/`, last the
 * list of these files with their digests, by which a restore knows that it has all of them as they were.
 */
export const HEADER_ENTRY = 'castellan-backup.json';
export const DIGESTS_ENTRY = 'digests.json';
export const DATABASE_PREFIX = 'database/';

/** Raised when an older program could not read a backup any more. */
export const BACKUP_FORMAT = 1;

/** What a backup says of itself. */
export interface BackupHeader {
  readonly format: number;
  /** Of the program that made it. */
  readonly castellan: string;
  /** Of PostgreSQL, as `18.6`. */
  readonly postgres: string;
  /** When the backup began, in ISO 8601, in UTC. It also has what was committed until it ended. */
  readonly at: string;
}

/** SHA-256 in hex of each file, by its path below the folder of the database. */
export type BackupDigests = Readonly<Record<string, string>>;
