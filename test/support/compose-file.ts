import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

interface ComposeService {
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly profiles?: readonly string[];
}
interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: Readonly<Record<string, { readonly content?: string; readonly file?: string }>>;
}

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` (https://docs.docker.com/reference/compose-file/interpolation/).
 * @throws Error if a variable without a default is missing
 */
const interpolate = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const value = variables[name] || (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name}: ${rest}`);
    return value;
  });

/** @returns `compose.yaml` as Compose reads it with these variables in `.env` */
export const readComposeFile = (variables: Readonly<Record<string, string>>): ComposeFile =>
  load(interpolate(readFileSync('compose.yaml', 'utf8'), variables)) as ComposeFile;
