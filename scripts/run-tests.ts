import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the tests that the arguments of this process name, and ends this process with their status.
 * @param environment variables beside those of this process
 */
export const runTests = async (environment: Readonly<Record<string, string>>): Promise<void> => {
  const tests = spawn('npx', ['vitest', 'run', ...process.argv.slice(2)], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(tests, 'exit');
  process.exitCode = code ?? 1;
};
