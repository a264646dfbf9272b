import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, type JetStreamManager, jetstream, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { vi } from 'vitest';
import { freePort } from './castellan.js';

/** A message of a stream. */
export interface StoredMessage {
  readonly sequence: number;
  readonly subject: string;
  /** `Nats-Msg-Id`. */
  readonly id: string;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  readonly body: any;
}

/** A NATS server with JetStream, in a process of its own, whose stream survives `kill`. */
export class NatsServer {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  readonly #login: NodeConnectionOptions;

  constructor(port: number, folder: string, login: NodeConnectionOptions) {
    this.port = port;
    this.#folder = folder;
    this.#login = login;
  }

  /** @param options `settings` are lines of the configuration file, `files` lie beside it; `login` is what tests connect with */
  static async make(
    options: { settings?: string; login?: NodeConnectionOptions; files?: Record<string, string> } = {},
  ): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-nats-'));
    const server = new NatsServer(await freePort(), folder, options.login ?? {});
    const settings = [
      `listen: 127.0.0.1:${server.port}`,
      `jetstream { store_dir: "${folder}", max_file_store: 1GB, max_memory_store: 16MB }`,
      options.settings ?? '',
    ].join('\n');
    const files = { 'server.conf': settings, ...options.files };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(server.file(name), text)));
    return server;
  }

  /** @returns the path of a file beside the configuration */
  file(name: string): string {
    return join(this.#folder, name);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const child = spawn('nats-server', ['-c', this.file('server.conf')], { stdio: 'ignore', cwd: this.#folder });
    this.#child = child;
    await vi.waitFor(
      () =>
        new Promise<void>((resolve, reject) => {
          if (child.exitCode !== null) reject(new Error(`nats-server ended with status ${child.exitCode}`));
          const socket = connectSocket(this.port, '127.0.0.1');
          socket.once('error', reject).once('data', () => {
            socket.destroy();
            resolve();
          });
        }),
      { timeout: 20_000, interval: 20 },
    );
  }

  /** Sends the process a signal, and waits for its end unless it goes on. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await ended;
  }

  /** Ends the process and deletes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #with<T>(work: (manager: JetStreamManager, nats: NatsConnection) => Promise<T>): Promise<T> {
    const nats = await connect({ servers: `localhost:${this.port}`, ...this.#login });
    try {
      return await work(await jetstreamManager(nats, { checkAPI: false }), nats);
    } finally {
      await nats.close();
    }
  }

  /** @returns settings and numbers of a stream. @throws if there is none */
  info(stream = 'castellan'): Promise<StreamInfo> {
    return this.#with(({ streams }) => streams.info(stream));
  }

  manage<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    return this.#with(work);
  }

  publish(subject: string, text: string, msgID: string): Promise<unknown> {
    return this.#with((_, nats) => jetstream(nats, {}).publish(subject, text, { msgID }));
  }

  /** @returns the text of the newest message of a stream. @throws if there is none */
  last(stream = 'castellan'): Promise<string> {
    return this.#with(async ({ streams }) => {
      const { state } = await streams.info(stream);
      return (await streams.getMessage(stream, { seq: state.last_seq }))?.string() ?? '';
    });
  }

  /** @returns all messages of a stream in order */
  messages(stream = 'castellan'): Promise<StoredMessage[]> {
    return this.#with(async (manager, nats) => {
      const { state } = await manager.streams.info(stream);
      if (state.messages === 0) return [];
      const { name } = await manager.consumers.add(stream, { ack_policy: AckPolicy.None });
      const consumer = await jetstream(nats, {}).consumers.get(stream, name);
      const found: StoredMessage[] = [];
      for await (const message of await consumer.consume()) {
        const text = message.string();
        const id = message.headers?.get('Nats-Msg-Id') ?? '';
        found.push({ sequence: message.seq, subject: message.subject, id, text, body: JSON.parse(text) });
        if (message.info.pending === 0) break;
      }
      return found;
    });
  }
}
