import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

test('a command whose output nobody reads any more ends without a word', async () => {
  const child = spawn(process.execPath, [MAIN, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let error = '';
  child.stderr.on('data', (text) => {
    error += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, error }).toEqual({ code: 0, error: '' });
});
