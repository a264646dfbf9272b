// Makes one outbound call to the address in argv and prints, as JSON, how it ended and the most memory that buffers took
// meanwhile. Runs in a process of its own, with --expose-gc, so that nothing else allocates or is kept alive.
import { createOutbound } from '../../src/delivery/outbound.js';

const [url, maxBytes] = process.argv.slice(2) as [string, string];
const bufferBytes = (): number => {
  // A collection frees the buffers that it found on another thread; the next one waits for that.
  globalThis.gc?.();
  globalThis.gc?.();
  const { external, arrayBuffers } = process.memoryUsage();
  return external + arrayBuffers;
};

const before = bufferBytes();
let most = before;
const timer = setInterval(() => {
  most = Math.max(most, bufferBytes());
}, 50);
const outcome = await createOutbound({ allowLoopback: true })
  .request({ method: 'GET', url: new URL(url), timeoutMs: 60_000, maxBytes: Number(maxBytes) })
  .then(
    ({ body }) => ({ length: body.length }),
    (error: Error) => ({ error: error.message }),
  );
clearInterval(timer);
process.stdout.write(JSON.stringify({ ...outcome, grown: Math.max(most, bufferBytes()) - before }));
