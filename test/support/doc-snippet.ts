import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A block of a page that a test runs: its first line says `sh run`, `js run` or `js save` (CONTRIBUTING.md). */
export interface Snippet {
  /** Relative to the checkout, with the line that the block begins at: `docs/writing.md:12`. */
  readonly place: string;
  /** The nearest heading above it, without its marks. */
  readonly heading: string;
  readonly language: 'sh' | 'js';
  readonly code: string;
  /** What a comment in its first line names: the file is saved under it, so that others can import it. */
  readonly fileName: string | undefined;
  /** Only saves the file: another snippet imports or starts it. */
  readonly isSaved: boolean;
  /** Content of a block `json answer` directly below: the output must contain at least that. */
  readonly answer: unknown;
}

/** A first line like `// api.mjs`. */
const FILE_NAME = /^\/\/ ([a-z][a-z0-9-]*\.mjs)\n/;
const BLOCK = /^```([^\n]*)\n([\s\S]*?)^```$|^#+ (.*)$/gm;

/**
 * @param text of a page, in Markdown
 * @returns its snippets, in order
 * @throws if a block says `run` in another language, or an answer has no snippet above it
 */
export const parseSnippets = (page: string, text: string): readonly Snippet[] => {
  const snippets: Snippet[] = [];
  let heading = '';
  let isAbove = false;
  for (const { index, 1: info, 2: code = '', 3: title } of text.matchAll(BLOCK)) {
    if (title !== undefined) heading = title;
    if (info === undefined) continue;
    const place = `${page}:${text.slice(0, index).split('\n').length}`;
    const [language, mark] = info.split(' ');
    if (mark === 'answer') {
      const asked = isAbove ? snippets.pop() : undefined;
      if (!asked) throw new Error(`${place} is the answer of no snippet.`);
      snippets.push({ ...asked, answer: JSON.parse(code) });
    } else if (mark === 'run' || mark === 'save') {
      const isSaved = mark === 'save';
      if (language !== 'js' && (isSaved || language !== 'sh'))
        throw new Error(`${place} says ${mark}, which ${isSaved ? 'only js' : 'only sh and js'} can.`);
      const fileName = language === 'js' ? FILE_NAME.exec(code)?.[1] : undefined;
      if (isSaved && fileName === undefined) throw new Error(`${place} does not name its file in a comment.`);
      snippets.push({ place, heading, language, code, fileName, isSaved, answer: undefined });
    }
    isAbove = mark === 'run';
  }
  return snippets;
};

/** @param page relative to the checkout */
export const readSnippets = (page: string): readonly Snippet[] =>
  parseSnippets(page, readFileSync(join(ROOT, page), 'utf8'));

/** The service that the snippets of one page use. */
export interface SnippetLocation {
  /** A folder to create: it becomes a checkout whose `data` is the service's. */
  readonly folder: string;
  /** Environment of the service: PORT, CASTELLAN_DATA_DIR and other settings. */
  readonly environment: Readonly<Record<string, string>>;
  /** Placeholders of the page, such as `YOUR_KEY`, and their values. */
  readonly substitutes?: Readonly<Record<string, string>>;
}

/** Exports variables to later blocks, as in one terminal. */
const inOneTerminal = (code: string): string =>
  `set -ea\n[ ! -f .terminal ] || . ./.terminal\n${code}\nset +a\nexport -p | grep -v ' \\(PWD\\|OLDPWD\\)=' > .terminal\n`;

/**
 * Runs snippets in sequence, like pasted commands.
 * @returns the trimmed output of each
 * @throws with the failed snippet and its output
 */
export const runSnippets = async (snippets: readonly Snippet[], place: SnippetLocation): Promise<readonly string[]> => {
  const { folder, environment } = place;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'dist', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(environment.CASTELLAN_DATA_DIR as string, join(folder, 'data'));
  const apiKey = readFileSync(join(folder, 'data', 'api-key'), 'utf8').trim();
  const substitutes = { '127.0.0.1:3000': `127.0.0.1:${environment.PORT}`, ...place.substitutes };
  const { PATH = '', HOME = '' } = process.env;
  // Replaces `npm link`.
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(ROOT, 'dist', 'cli', 'main.js'), join(folder, 'bin', 'castellan'));
  const env = { PATH: `${join(folder, 'bin')}:${PATH}`, HOME, CASTELLAN_API_KEY: apiKey, ...environment };
  const printed: string[] = [];
  for (const [index, { place: where, language, code, fileName, isSaved }] of snippets.entries()) {
    let text = code;
    for (const [theirs, ours] of Object.entries(substitutes)) text = text.replaceAll(theirs, ours);
    const file = join(folder, fileName ?? `snippet-${index}.mjs`);
    if (language === 'js') writeFileSync(file, text);
    if (isSaved) {
      printed.push('');
      continue;
    }
    const [program, args] = language === 'js' ? [process.execPath, [file]] : ['sh', ['-c', inOneTerminal(text)]];
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env }).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${where} failed:\n${text}\n${out}${stderr}`, { cause: error });
    });
    printed.push(stdout.trim());
  }
  return printed;
};
