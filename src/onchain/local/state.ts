import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** What of a chain is in a file. */
interface StateFile {
  readonly text: string;
  readonly block: number;
}

/** Where the state of the local chain came from when it was started. */
export type StateOrigin =
  | { readonly kind: 'new' | 'kept' }
  /** A file there was spoiled: what is left is older, or nothing. */
  | { readonly kind: 'spoiled'; readonly files: readonly string[]; readonly isNew: boolean };

/**
 * The files in which a local chain is kept. Anvil writes its own when it ends, in place: whoever pulls the plug while it
 * does leaves half a file. So the service writes a second one while the chain runs, whole or not at all.
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

  /** Puts the newest state that is whole where anvil reads it; spoiled files are set aside under another name. */
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

  /** @param dump what `anvil_dumpState` answered: hex of gzipped JSON */
  async keep(dump: string): Promise<void> {
    const text = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
    await writeWhole(this.#snapshot, text);
  }

  /** Puts away what anvil cannot read. */
  async setAside(): Promise<StateOrigin> {
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
