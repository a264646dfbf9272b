import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fromHex } from '../../hex.js';

/** A state file. */
interface StateFile {
  readonly text: string;
  readonly block: number;
}

/** Where the state of a started chain came from. */
export type StateOrigin =
  | { readonly kind: 'new' | 'kept' }
  /** A corrupt file was found; an older state is used, or none. */
  | { readonly kind: 'spoiled'; readonly files: readonly string[]; readonly isNew: boolean };

/**
 * The state files of a local chain. Anvil writes its own file in place when it ends, so a power failure can corrupt it.
 * Therefore the service atomically writes a second one while the chain runs.
 */
export class LocalState {
  /** Read by anvil at its start and written at its end. */
  readonly file: string;
  readonly #folder: string;
  readonly #snapshot: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.file = join(folder, 'state.json');
    this.#snapshot = join(folder, 'snapshot.json');
  }

  /** Moves the newest valid state to where anvil reads it; corrupt files are renamed. */
  async prepare(): Promise<StateOrigin> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const [ended, snapshot] = await Promise.all([readState(this.file), readState(this.#snapshot)]);
    const spoiled: string[] = [];
    for (const [path, state] of [
      [this.file, ended],
      [this.#snapshot, snapshot],
    ] as const) {
      if (state !== 'spoiled') continue;
      const aside = `${path}.spoiled`;
      await rename(path, aside);
      spoiled.push(aside);
    }
    const whole = [ended, snapshot].filter((one) => one !== undefined && one !== 'spoiled');
    const isSnapshotNewer = isState(snapshot) && (!isState(ended) || snapshot.block > ended.block);
    if (isSnapshotNewer) await writeWhole(this.file, snapshot.text);
    if (spoiled.length > 0) return { kind: 'spoiled', files: spoiled, isNew: whole.length === 0 };
    return { kind: whole.length === 0 ? 'new' : 'kept' };
  }

  /** @param dump the result of `anvil_dumpState`: hex of gzipped JSON */
  async keep(dump: string): Promise<void> {
    const text = await promisify(gunzip)(fromHex(dump));
    await writeWhole(this.#snapshot, text);
  }

  /** Renames a file that anvil cannot read. */
  async startCooldown(): Promise<StateOrigin> {
    const aside = `${this.file}.spoiled`;
    await rename(this.file, aside);
    await rm(this.#snapshot, { force: true });
    return { kind: 'spoiled', files: [aside], isNew: true };
  }
}

const isState = (state: StateFile | 'spoiled' | undefined): state is StateFile =>
  state !== undefined && state !== 'spoiled';

const readState = async (path: string): Promise<StateFile | 'spoiled' | undefined> => {
  try {
    const text = await readFile(path, 'utf8');
    const { best_block_number: block } = JSON.parse(text) as { best_block_number?: unknown };
    return typeof block === 'number' ? { text, block } : 'spoiled';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== undefined) throw error;
    return 'spoiled';
  }
};

const writeWhole = async (path: string, text: string | Uint8Array): Promise<void> => {
  await writeFile(`${path}.draft`, text, { mode: 0o600, flush: true });
  await rename(`${path}.draft`, path);
};
