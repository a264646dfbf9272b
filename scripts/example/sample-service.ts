import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { castellan, freePort, TestWorkspace } from '../../test/support/castellan.js';
import { REGISTRAR } from '../../test/support/protocol-channel.js';
import {
  type Changes,
  type DescribedOperation,
  type Document,
  describedOperations,
  exampleRequest,
} from './described-operation.js';

/** A successful response. */
export interface Answer {
  readonly status: number;
  /** Parsed JSON, or the text of another media type. */
  // biome-ignore lint/suspicious/noExplicitAny: recipes read members of whatever came
  readonly body: any;
}

/** A development service with the sample network and the local chain, as `castellan dev --still` starts it. */
export interface SampleService {
  /** `127.0.0.1:41234`. */
  readonly host: string;
  /** HTTP address of the local chain. */
  readonly chainUrl: string;
  readonly apiKey: string;
  /** Folder for files, removed at the end. */
  readonly folder: string;
  readonly operations: readonly DescribedOperation[];
  /** Texts that no example may contain. */
  readonly secrets: readonly string[];
  /**
   * Sends the request of the reference.
   * @throws Error with the response's text for a status other than 2xx
   */
  send(id: string, changes?: Changes): Promise<Answer>;
  /** Runs a command of the program. @returns what it printed. @throws Error with its message if it fails */
  run(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Contents of the files directly in the data folder: the keys of a development service. */
const keysIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('-key'))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim());

/** Starts the built program on an empty store, and waits until the sample network is loaded and the chain prepared. */
export const startSampleService = async (): Promise<SampleService> => {
  const work = new TestWorkspace();
  const port = await freePort();
  const environment: Record<string, string> = {
    ...(await work.newStore()),
    PORT: String(port),
    CASTELLAN_METRICS_PORT: 'off',
    CASTELLAN_LOCAL_CHAIN: 'on',
    CASTELLAN_CHANNEL_REGISTRAR: REGISTRAR,
  };
  const service = work.start(['dev', '--still'], environment);
  const stop = async (): Promise<void> => {
    service.child.kill('SIGTERM');
    await service.ended;
    await work.clear();
  };
  try {
    await service.shows('Try:');
    const host = `127.0.0.1:${port}`;
    const [, chainUrl] = /Chain +(http:\S+)/.exec(service.out()) ?? [];
    if (chainUrl === undefined) throw new Error(`the local chain did not start:\n${service.err()}`);
    const secrets = keysIn(environment.CASTELLAN_DATA_DIR as string);
    const apiKey = readFileSync(join(environment.CASTELLAN_DATA_DIR as string, 'api-key'), 'utf8').trim();
    const document = (await (await fetch(`http://${host}/openapi.json`)).json()) as Document;
    const operations = describedOperations(document);
    return {
      host,
      chainUrl,
      apiKey,
      folder: work.folder,
      operations,
      secrets,
      send: async (id, changes) => {
        const operation = operations.find((one) => one.id === id);
        if (!operation) throw new Error(`the service describes no operation ${id}`);
        const { url, init } = exampleRequest(operation, host, changes);
        const response = await fetch(url, { ...init, headers: { 'x-api-key': apiKey, ...(init.headers as object) } });
        const text = await response.text();
        if (!response.ok) throw new Error(`${id}: ${response.status} ${text}`);
        return { status: response.status, body: parsed(text) };
      },
      run: async (...args) => {
        const { code, out, err } = await castellan(args, environment);
        if (code !== 0) throw new Error(`castellan ${args.join(' ')}: ${err}`);
        return out.trim();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
