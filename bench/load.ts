import { connect } from 'node:net';
import { handleParentMessages } from './child.js';

/** Requests to send, in a separate process. */
export interface LoadInput {
  readonly port: number;
  readonly apiKey: string;
  /** Keys that the requests use in turn, in place of `apiKey`. */
  readonly apiKeys?: readonly string[];
  /** Requested in this order, repeatedly. */
  readonly paths: readonly string[];
  /** Index of the path to begin with; 0 when absent. */
  readonly from?: number;
  /** JSON bodies to POST to the paths; absent: GET. */
  readonly bodies?: readonly string[];
  readonly connections: number;
  /** Duration; absent: until every path was requested `times` times (1), or `atMost` seconds have passed. */
  readonly seconds?: number;
  readonly times?: number;
  readonly atMost?: number;
}

export interface LoadResult {
  readonly requests: number;
  /** Index of the path after the last requested one: `from` of the load that continues. */
  readonly next: number;
  readonly seconds: number;
  /** Milliseconds from the first byte sent to the last one received. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of the bodies. */
  readonly bytes: number;
  /** Processor time of the generator: if it is near `seconds`, the generator was the bottleneck. */
  readonly cpuSeconds: number;
}

// autocannon spends 59 µs of processor time on a response of 60 KB and 21 µs on one of 1.5 KB, this 19 and 15 µs:
// with autocannon, the generator would be the limit of large pages.

const READ_BYTES = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = '\r\ncontent-length: ';

interface Run {
  readonly input: LoadInput;
  readonly requests: readonly Buffer[];
  readonly latencies: number[];
  next: number;
  /** Value of `next` at which the run ends. */
  readonly end: number;
  bytes: number;
  /** `performance.now()` at which the run ends. */
  until: number;
}

/** @returns the body length of the response. @throws for any response but 200 with a length */
const readHead = (head: string, path: string): number => {
  const at = head.toLowerCase().indexOf(LENGTH);
  if (!head.startsWith('HTTP/1.1 200 ') || at < 0) throw new Error(`${path} was answered with\n${head}`);
  return Number.parseInt(head.slice(at + LENGTH.length), 10);
};

/** Sends requests sequentially on one connection; resolves when all are sent. */
const drive = (run: Run): Promise<void> => {
  const { input, requests, latencies } = run;
  return new Promise((done, fail) => {
    let sentAt = 0;
    let missing = 0;
    let head: Buffer | undefined;
    let path = '';
    let isOver = false;
    const send = (): void => {
      const index = run.next++;
      sentAt = performance.now();
      if (sentAt >= run.until || index >= run.end) {
        isOver = true;
        socket.destroy();
        done();
        return;
      }
      path = input.paths[index % requests.length] as string;
      socket.write(requests[index % requests.length] as Buffer);
    };
    const finish = (): void => {
      latencies.push(performance.now() - sentAt);
      send();
    };
    const receive = (count: number, buffer: Buffer): boolean => {
      if (missing > 0) {
        missing -= count;
        if (missing === 0) finish();
        return true;
      }
      const read = buffer.subarray(0, count);
      const bytes = head === undefined ? read : Buffer.concat([head, read]);
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) {
        head = Buffer.from(bytes);
        return true;
      }
      head = undefined;
      try {
        const length = readHead(bytes.toString('latin1', 0, end), path);
        run.bytes += length;
        missing = length - (bytes.length - end - END_OF_HEAD.length);
      } catch (error) {
        fail(error);
        return false;
      }
      if (missing === 0) finish();
      return true;
    };
    // One buffer for all reads: allocating one for each would cost more than the rest of this function.
    const onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: receive as never };
    const socket = connect({ host: '127.0.0.1', port: input.port, onread });
    socket.setNoDelay(true);
    socket.once('connect', send);
    socket.once('error', fail);
    socket.once('close', () => {
      if (!isOver) fail(new Error(`the server closed the connection at ${path}`));
    });
  });
};

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

handleParentMessages<LoadInput, LoadResult>(async (input) => {
  const { bodies, apiKeys } = input;
  const requests = input.paths.map((path, index) => {
    const body = bodies?.[index];
    const apiKey = apiKeys?.[index % apiKeys.length] ?? input.apiKey;
    const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${input.port}\r\nx-api-key: ${apiKey}\r\n`;
    if (body === undefined) return Buffer.from(`${head}\r\n`);
    const length = Buffer.byteLength(body);
    return Buffer.from(`${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);
  });
  const started = performance.now();
  const until = started + 1000 * (input.seconds ?? input.atMost ?? Number.POSITIVE_INFINITY);
  const next = input.from ?? 0;
  const end = input.seconds === undefined ? next + (input.times ?? 1) * requests.length : Number.POSITIVE_INFINITY;
  const run: Run = { input, requests, latencies: [], next, end, bytes: 0, until };
  const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: input.connections }, () => drive(run)));
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(run.latencies).sort();
  return {
    requests: sorted.length,
    next: (next + sorted.length) % requests.length,
    seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    bytes: run.bytes,
    cpuSeconds: (user + system) / 1e6,
  };
});
