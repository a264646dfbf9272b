import { expect } from 'vitest';
import type { IngestItem } from '../../src/ingest/item.js';
import { contractAvailable, validateAgainstContract } from './contract.js';
import { type Shell, startShell } from './http-shell.js';
import { type Seeded, seedBasics } from './seed.js';

export interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, checked against the schema before
  readonly body: any;
}

/** The service's hub interface with seeded accounts, over HTTP. */
export interface HubFlow {
  readonly shell: Shell;
  readonly seeded: Seeded;
  /** Sends a request and validates the response against the contract (and the shell against our own schema). */
  get(operationId: string, url: string): Promise<TestResponse>;
  post(operationId: string, url: string, body: Uint8Array): Promise<TestResponse>;
  /** As `get` and `post`, without the contract, which does not describe all kinds of messages. */
  getUnchecked(url: string): Promise<TestResponse>;
  postUnchecked(url: string, body: Uint8Array): Promise<TestResponse>;
  /** As `get`, and expects 400 with `errCode` and details that match. */
  refused(operationId: string, url: string, details: RegExp, errCode?: string): Promise<void>;
  submit(items: readonly IngestItem[]): Promise<void>;
  stop(): Promise<void>;
}

const check = (operationId: string, answer: TestResponse): TestResponse => {
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};

/** @param announce whether the seed is in the event log */
export const startHubFlow = async (announce = false): Promise<HubFlow> => {
  const shell = await startShell();
  const key = await shell.key();
  const submit = async (items: readonly IngestItem[]): Promise<void> => {
    const report = await shell.services.hub.submit(items, { source: 'hub', announce });
    expect(report.invalid).toEqual({});
  };
  const seeded = await seedBasics(submit);
  const request = async (options: object): Promise<TestResponse> => {
    const response = await shell.server.fastify.inject({ headers: { 'x-api-key': key }, ...options });
    return { status: response.statusCode, body: response.json() };
  };
  const ask = (url: string) => request({ method: 'GET', url });
  const postUnchecked = (url: string, body: Uint8Array): Promise<TestResponse> =>
    request({
      method: 'POST',
      url,
      headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(body),
    });
  const get = async (operationId: string, url: string) => check(operationId, await ask(url));
  return {
    shell,
    seeded,
    get,
    post: async (operationId, url, body) => check(operationId, await postUnchecked(url, body)),
    getUnchecked: ask,
    postUnchecked,
    refused: async (operationId, url, details, errCode = 'bad_request.invalid_param') => {
      const { status, body } = await get(operationId, url);
      expect({ status, errCode: body.errCode }).toEqual({ status: 400, errCode });
      expect(body.details).toMatch(details);
    },
    submit,
    stop: shell.stop,
  };
};

/** @returns lower-case hex with 0x. */
export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** @returns the hashes of a page of messages, in its order. */
export const hashesOf = (answer: TestResponse): string[] =>
  answer.body.messages.map((message: { hash: string }) => message.hash);
