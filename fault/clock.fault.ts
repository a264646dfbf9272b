import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 5_000;
/** Where Debian's package `faketime` puts it. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

const folder = mkdtempSync(join(tmpdir(), 'castellan-clock-'));
const clock = join(folder, 'clock');
writeFileSync(clock, '+0');
afterAll(() => rmSync(folder, { recursive: true }));

for (const [title, jump] of [
  ['The clock of the service jumps an hour ahead for five seconds', '+1h'],
  ['The clock of the service jumps an hour back for five seconds', '-1h'],
] as const)
  testFault({
    title,
    times: 5,
    plan: {
      environment: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // Timers go on: what jumps is the time of day, as when it is set.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    },
    provoke: async () => {
      writeFileSync(clock, jump);
      await delay(LASTS_MS);
      writeFileSync(clock, '+0');
    },
  });
