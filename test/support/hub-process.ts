import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Signed } from '../../src/sample/signed-message.js';
import { type Castellan, castellan, freePort, type TestWorkspace } from './castellan.js';
import { delay } from './delay.js';
import { until } from './hub-fixture.js';

/** `castellan serve` as a process with the gRPC interface of a hub, which anybody may read. */
export class HubProcess {
  readonly environment: Readonly<Record<string, string>>;
  readonly #work: TestWorkspace;
  #service: Castellan | undefined;

  constructor(work: TestWorkspace, environment: Readonly<Record<string, string>>) {
    this.#work = work;
    this.environment = environment;
  }

  /** @param more variables of its environment */
  static async create(work: TestWorkspace, more: Readonly<Record<string, string>> = {}): Promise<HubProcess> {
    const environment = {
      ...(await work.migratedStore()),
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
      CASTELLAN_LOG_LEVEL: 'error',
      CASTELLAN_CRAWL: '0',
      CASTELLAN_METRICS_PORT: 'off',
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
      CASTELLAN_PUBLIC_READS: 'hub',
      CASTELLAN_PUBLIC_READS_PER_ADDRESS: '1000000',
      CASTELLAN_PUBLIC_READS_PER_MINUTE: '1000000',
      CASTELLAN_HUB_GRPC_PORT: String(await freePort()),
      PORT: String(await freePort()),
      PUBLIC_URL: 'http://127.0.0.1',
      ...more,
    };
    return new HubProcess(work, environment);
  }

  /** `host:port` of its gRPC interface. */
  get address(): string {
    return `127.0.0.1:${this.environment.CASTELLAN_HUB_GRPC_PORT}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const service = this.#work.start(['serve'], { ...this.environment });
    this.#service = service;
    await until(async () => {
      if (service.child.exitCode !== null) throw new Error(service.err());
      await fetch(`${this.#url}/health/live`);
    });
  }

  async kill(): Promise<void> {
    const { child } = this.#service as Castellan;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Runs a command on its database. @throws Error with what it printed, if it fails */
  async run(...args: string[]): Promise<string> {
    const { code, out, err } = await castellan(args, { ...this.environment });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`);
    return out;
  }

  /**
   * Submits a message, again and again until the service answers.
   * @returns whether it took it: also if it had it already, from a call whose answer was lost
   */
  async submit({ wire }: Signed): Promise<boolean> {
    const headers = {
      'x-api-key': this.environment.CASTELLAN_API_KEY as string,
      'content-type': 'application/octet-stream',
    };
    for (;;) {
      try {
        const request = { method: 'POST', headers, body: wire, signal: AbortSignal.timeout(10_000) };
        const response = await fetch(`${this.#url}/v1/submitMessage`, request);
        const answer = await response.text();
        if (response.status < 500) return response.ok || answer.includes('bad_request.duplicate');
      } catch {
        // It is not there now.
      }
      await delay(50);
    }
  }

  get #url(): string {
    return `http://127.0.0.1:${this.environment.PORT}`;
  }
}
