import type { FastifyRequest } from 'fastify';
import type { Log } from '../log.js';
import type { Caller } from './caller.js';
import type { OperationRequest } from './operation.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key is known; null in public operations. */
    caller: Caller | null;
  }
}

/** A request without its framework. */
export class Incoming implements OperationRequest {
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
  readonly headers: unknown;
  readonly #caller: Caller | null;
  readonly #log: Log;

  constructor(request: FastifyRequest, log: Log) {
    this.id = request.id;
    this.query = request.query;
    this.body = request.body;
    this.params = request.params;
    this.headers = request.headers;
    this.#caller = request.caller;
    this.#log = log;
  }

  get caller(): Caller {
    if (this.#caller === null) throw new Error('a public operation has no caller');
    return this.#caller;
  }

  get log(): Log {
    return this.#log.child({ requestId: this.id });
  }
}
