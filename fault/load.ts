import { Agent, request } from 'node:http';
import { delay } from '../test/support/delay.js';

/** Requests open at once while the load is measured. */
const CALLERS = 8;
const MEASURED_MS = 3_000;
const TURN_MS = 10;
/** Requests open at once under load; those above wait, as in a client with so many connections. */
const MOST_OPEN = 200;
/** Each tenth request writes. */
const WRITE_EACH = 10;
/** The first account that a write bans. */
const FIRST_BANNED = 1_000;

export interface Answer {
  /** Milliseconds of `performance.now`. */
  readonly at: number;
  readonly isWrite: boolean;
  /** 0: the connection broke. */
  readonly status: number;
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/**
 * Reads and writes at a steady rate, whether or not the service answers. A write bans an account that no other one bans, so
 * that afterwards the store can be asked for each write that was acknowledged.
 */
export class Load {
  readonly answers: Answer[] = [];
  /** Accounts whose ban was acknowledged. */
  readonly acknowledged: number[] = [];
  readonly #ports: () => readonly number[];
  readonly #apiKey: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MOST_OPEN });
  #count = 0;
  #open = 0;
  #isOver = false;
  #running: Promise<void> | undefined;

  /** @param ports of the processes that answer requests, to which a balancer would lead */
  constructor(ports: () => readonly number[], apiKey: string) {
    this.#ports = ports;
    this.#apiKey = apiKey;
  }

  /** Sends a request that is not counted. @returns its status; 0 if the connection broke */
  ask({ method, path, body }: Sent, port = this.#ports()[0] as number): Promise<number> {
    return this.#send({ method, path, ...(body && { body }) }, port).catch(() => 0);
  }

  /** @returns requests a second that are answered when eight callers ask one after the other */
  async measure(): Promise<number> {
    const before = this.answers.length;
    const end = performance.now() + MEASURED_MS;
    const call = async () => {
      while (performance.now() < end) await this.#next();
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    return ((this.answers.length - before) / MEASURED_MS) * 1000;
  }

  /** @param rate requests a second */
  start(rate: number): void {
    this.answers.length = 0;
    this.#running = (async () => {
      const began = performance.now();
      for (let due = 0; !this.#isOver; ) {
        const wanted = ((performance.now() - began) / 1000) * rate;
        for (; due < wanted; due++) if (this.#open < MOST_OPEN) void this.#next();
        await delay(TURN_MS);
      }
    })();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    while (this.#open > 0) await delay(TURN_MS);
    this.#agent.destroy();
  }

  async #next(): Promise<void> {
    const n = this.#count++;
    const isWrite = n % WRITE_EACH === 0;
    const fid = FIRST_BANNED + n;
    const reads = [
      `/v2/social/user/bulk/?fids=41,42,43,${fid}`,
      `/v1/castsByFid?fid=41&pageSize=${1 + (n % 100)}`,
      `/v2/social/feed/user/casts/?fid=42&limit=${1 + (n % 25)}`,
    ];
    const sent: Sent = isWrite
      ? { method: 'POST', path: '/v2/social/ban/', body: { fids: [fid] } }
      : { method: 'GET', path: reads[n % reads.length] as string };
    this.#open++;
    const status = await this.#balanced(sent, n).finally(() => this.#open--);
    this.answers.push({ at: performance.now(), isWrite, status });
    if (isWrite && status === 200) this.acknowledged.push(fid);
  }

  /** Sends to the next process; like a balancer, to another one if it does not accept the connection. */
  async #balanced(sent: Sent, n: number): Promise<number> {
    const ports = this.#ports();
    for (let attempt = 0; attempt < ports.length; attempt++) {
      try {
        return await this.#send(sent, ports[(n + attempt) % ports.length] as number);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') return 0;
      }
    }
    return 0;
  }

  #send({ method, path, body }: Sent, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': this.#apiKey, 'content-type': 'application/json' };
      const sent = request({ agent: this.#agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  }
}
