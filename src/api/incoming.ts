import type { FastifyRequest } from 'fastify';
import type { Log } from '../log.js';
import type { Caller } from '../access/caller.js';
import type { OperationRequest, Speech } from './operation.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key is known; null in public operations. */
    caller: Caller | null;
  }
}

/** A request without its framework, in neutral names. */
export class Incoming implements OperationRequest {
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
  readonly #caller: Caller | null;
  readonly #headers: unknown;
  readonly #speech: Speech | undefined;
  readonly #log: Log;

  /** @param speech turns what the request says in another dialect */
  constructor(request: FastifyRequest, log: Log, speech: Speech | undefined) {
    this.id = request.id;
    const { query, body, params, headers } = request;
    this.query = speech?.query === undefined ? query : speech.query(query);
    this.body = speech?.body === undefined ? body : speech.body(body);
    this.params = speech?.params === undefined ? params : speech.params(params);
    this.#headers = headers;
    this.#speech = speech;
    this.#caller = request.caller;
    this.#log = log;
  }

  /** Turned when it is asked for: most reads have a header that differs, and few look at it. */
  get headers(): unknown {
    return this.#speech?.headers === undefined ? this.#headers : this.#speech.headers(this.#headers);
  }

  get caller(): Caller {
    if (this.#caller === null) throw new Error('a public operation has no caller');
    return this.#caller;
  }

  get log(): Log {
    return this.#log.child({ requestId: this.id });
  }
}
