import { Agent, request } from 'node:http';
import { handleParentMessages } from './child.js';

/** Requests at a fixed rate, whether or not the earlier ones are answered. */
export interface OfferInput {
  readonly port: number;
  readonly path: string;
  /** Requested in this order, repeatedly; in place of `path`. */
  readonly paths?: readonly string[];
  readonly apiKey?: string | undefined;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  /** While so many requests are open, no further ones are sent. */
  readonly connections: number;
}

export interface OfferResult {
  /** Responses by status; `error` for connections that broke, `unsent` for requests without a free connection. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds of responses with status 200. */
  readonly p50: number;
  readonly p99: number;
}

const TURN_MS = 5;

handleParentMessages<OfferInput, OfferResult>(async (input) => {
  const { port, rate, seconds, connections, apiKey } = input;
  const paths = input.paths ?? [input.path];
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  const count = (status: string | number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  let open = 0;
  let due = 0;
  let whenIdle: (() => void) | undefined;
  const finish = (status: string | number): void => {
    count(status);
    if (--open === 0) whenIdle?.();
  };
  const send = (path: string): void => {
    open++;
    const began = performance.now();
    const sent = request({ agent, port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) times.push(performance.now() - began);
        finish(response.statusCode ?? 'error');
      });
      response.once('error', () => finish('error'));
    });
    sent.once('error', () => finish('error'));
    sent.end();
  };
  const started = performance.now();
  for (let past = 0; past < seconds; past = (performance.now() - started) / 1000) {
    for (; due < rate * past; due++) {
      if (open < connections) send(paths[due % paths.length] as string);
      else count('unsent');
    }
    await new Promise((done) => setTimeout(done, TURN_MS));
  }
  if (open > 0)
    await new Promise<void>((done) => {
      whenIdle = done;
    });
  agent.destroy();
  times.sort((a, b) => a - b);
  const percentile = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { statuses, p50: percentile(0.5), p99: percentile(0.99) };
});
