import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Read without being asked for, from the folder in which a command runs. */
const DEFAULT_FILE = '.env';

const readFile = (file: string, isWanted: boolean): Environment => {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isWanted && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`The file of variables ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
};

/**
 * @param file of variables, as in `NAME=value`; absent: `.env` in the working folder, if there is one
 * @returns the variables of this process, which take precedence, and those of the file; no other module reads
 * `process.env`
 * @throws Error in words if the file cannot be read
 */
export const readEnvironment = (file?: string): Environment => ({
  ...readFile(file ?? DEFAULT_FILE, file !== undefined),
  ...process.env,
});
