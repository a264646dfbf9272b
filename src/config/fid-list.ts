import { readFileSync } from 'node:fs';
import type { ConfigReader } from './reader.js';

/** Larger than any account number of the protocol for a long time, and exact in a float. */
const MAXIMUM = Number.MAX_SAFE_INTEGER;

function addFids(into: Set<number>, text: string, reader: ConfigReader, variable: string): void {
  for (const word of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const fid = /^\d{1,16}$/.test(word) ? Number(word) : 0;
    if (fid >= 1 && fid <= MAXIMUM) into.add(fid);
    else reader.problem(variable, `"${word}" is no account number: list them like 2,3,5650.`);
  }
}

/**
 * Reads the accounts of partial mode from FIDS (numbers, separated by commas or spaces) and FIDS_FILE (the same,
 * on as many lines as wanted; what follows a # is a comment).
 *
 * @returns undefined when neither is set, so that everything is indexed.
 */
export function readFids(reader: ConfigReader): ReadonlySet<number> | undefined {
  const list = reader.text('FIDS');
  const file = reader.text('FIDS_FILE');
  if (list === undefined && file === undefined) return undefined;
  const fids = new Set<number>();
  const before = reader.problems.length;
  if (list !== undefined) addFids(fids, list, reader, 'FIDS');
  if (file !== undefined) {
    try {
      addFids(fids, readFileSync(file, 'utf8').replace(/#.*$/gm, ''), reader, 'FIDS_FILE');
    } catch (error) {
      reader.problem('FIDS_FILE', `"${file}" cannot be read: ${(error as Error).message}.`);
    }
  }
  if (fids.size === 0 && reader.problems.length === before)
    reader.problem(list === undefined ? 'FIDS_FILE' : 'FIDS', 'names no account.');
  return fids;
}
