// The built service with a clock that runs faster, so that deliveries that are tried again for a day end in minutes.
// argv: Unix milliseconds at which the clock was right, and how many times faster it runs.
import { createApp } from '../../dist/app.js';
import { loadConfig } from '../../dist/config/config.js';
import { createLog } from '../../dist/log.js';

const [from, speed] = process.argv.slice(2).map(Number);
const config = loadConfig('dev', process.env);
const app = await createApp(config, {
  log: createLog('error'),
  clock: () => Math.round(from + (Date.now() - from) * speed),
});
await app.start();
process.stdout.write('ready\n');
process.once('SIGTERM', async () => {
  await app.stop();
  process.exit(0);
});
