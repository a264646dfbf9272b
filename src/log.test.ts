import { expect, test } from 'vitest';
import { createLog } from './log.js';

test('credentials are blanked at every place where headers are logged', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const headers = {
    'x-api-key': 'hidden-key',
    api_key: 'hidden-old-key',
    authorization: 'Bearer hidden-token',
    accept: 'shown',
  };
  log.info(headers, 'flat');
  log.info({ headers }, 'one deep');
  log.child({ requestId: 'r1' }).info({ request: { headers } }, 'two deep');
  const text = lines.join('');
  expect(text).not.toContain('hidden');
  expect(text.match(/shown/g)).toHaveLength(3);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ requestId: 'r1', msg: 'two deep' });
});
