import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @returns the files and folders that .dockerignore leaves for the image. */
const buildContext = (): string[] =>
  readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));

/** Files of a checkout that must not be published. */
const PRIVATE: Readonly<Record<string, string>> = {
  '.env': 'CASTELLAN_MASTER_KEY=not-for-anybody\n',
  'data/api-key': 'not-for-anybody\n',
  'dist/old.test.js': 'throw new Error("left by an older build");\n',
  'test/a.test.ts': '',
};

/**
 * The environment of this process without the variables of `npm test`: npm would otherwise use the checkout as its
 * working folder, and run programs of the checkout instead of installed ones.
 */
const plainEnvironment = (): Record<string, string> => {
  const { PATH = '', ...rest } = process.env;
  const kept = Object.entries(rest).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_(local_)?prefix|INIT_CWD)/i.test(name),
  );
  const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return Object.fromEntries([...kept, ['PATH', path.join(delimiter)]]) as Record<string, string>;
};

/** @returns the files below a folder, as paths within it. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** Result of a program. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The package as users get it: packed from a clone, and installed from its tarball into an empty folder. */
export class InstalledPackage {
  /** Folder of the installation; its name contains characters that break careless scripts. */
  readonly folder: string;
  /** The package's own program, below {@link folder}. */
  readonly program: string;
  /** Folders that a program may write to by default. */
  readonly home: string;
  readonly temporary: string;
  readonly #root = mkdtempSync(join(tmpdir(), 'castellan-package-'));
  readonly #running = new Set<ChildProcess>();
  #tarball: string | undefined;

  constructor() {
    this.folder = this.#make('an empty folder');
    this.program = join(this.folder, 'node_modules', 'castellan');
    this.home = this.#make('home');
    this.temporary = this.#make('temporary');
  }

  get tarball(): string {
    if (this.#tarball === undefined) throw new Error('pack() comes first.');
    return this.#tarball;
  }

  /** Packs what is in the checkout now, as `npm pack` does in a clone, out of what the image is built from. */
  async pack(): Promise<void> {
    const clone = this.#make('clone');
    for (const name of buildContext()) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    for (const [name, text] of Object.entries(PRIVATE)) {
      mkdirSync(join(clone, name, '..'), { recursive: true });
      writeFileSync(join(clone, name), text);
    }
    await promisify(execFile)('npm', ['pack', '--silent'], { cwd: clone, env: plainEnvironment() });
    const [name] = readdirSync(clone).filter((name) => name.endsWith('.tgz'));
    if (name === undefined) throw new Error('npm pack made no tarball.');
    this.#tarball = join(clone, name);
  }

  /**
   * Installs without the scripts of dependencies, which npm 12 no longer runs; fails if Node.js is too old for one of
   * them.
   */
  async install(): Promise<void> {
    const options = ['--prefer-offline', '--ignore-scripts', '--engine-strict', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', ['install', ...options, this.tarball], {
      cwd: this.folder,
      env: plainEnvironment(),
    });
  }

  /** Starts a program of the folder in a separate process group, like a shell. */
  start(program: string, args: readonly string[], environment: Record<string, string> = {}): Running {
    const child = spawn(program, args, {
      cwd: this.folder,
      detached: true,
      env: {
        PATH: plainEnvironment().PATH as string,
        HOME: this.home,
        TMPDIR: this.temporary,
        // Keeps npm's own files out of the package's folders.
        npm_config_cache: join(this.#root, 'cache'),
        npm_config_update_notifier: 'false',
        ...environment,
      },
    });
    this.#running.add(child);
    return new Running(child, () => this.#running.delete(child));
  }

  run(program: string, ...args: readonly string[]): Promise<Ended> {
    return this.start(program, args).ended;
  }

  /** Stops all processes and removes everything. */
  async clear(): Promise<void> {
    for (const child of this.#running) {
      process.kill(-(child.pid as number), 'SIGKILL');
      await once(child, 'close');
    }
    rmSync(this.#root, { recursive: true, force: true });
  }

  #make(name: string): string {
    const folder = join(this.#root, name);
    mkdirSync(folder);
    return folder;
  }
}

/** A running program and its output. */
export class Running {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  out = '';
  err = '';

  constructor(child: ChildProcess, gone: () => void) {
    this.#child = child;
    child.stdout?.on('data', (data) => {
      this.out += data;
    });
    child.stderr?.on('data', (data) => {
      this.err += data;
    });
    this.ended = once(child, 'close').then(([code]) => {
      gone();
      return { code: code as number | null, out: this.out, err: this.err };
    });
  }

  /** Resolves when the output matches; rejects if the program exits before. */
  async says(words: RegExp): Promise<void> {
    let over = false;
    void this.ended.then(() => {
      over = true;
    });
    while (!words.test(this.out)) {
      if (over) throw new Error(`It ended before it said ${words}:\n${this.out}\n${this.err}`);
      await Promise.race([once(this.#child.stdout as NodeJS.ReadableStream, 'data'), this.ended]);
    }
  }

  /**
   * Sends the signal to every process of the group, like a terminal. @returns the result, after its children ended too
   */
  pressCtrlC(): Promise<Ended> {
    process.kill(-(this.#child.pid as number), 'SIGINT');
    return this.ended;
  }
}
