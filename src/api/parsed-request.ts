import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import type { Log } from '../log.js';
import type { ReceivedForm } from './http/form-body.js';
import type { OperationRequest, WireFormat } from './http/operation.js';
import type { RequestSlot } from './limit/key-queue.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the API key is checked; null in public operations. */
    caller: Caller | null;
    /** Set while it waits or is in work; null where requests are not limited. */
    slot: RequestSlot | null;
  }
}

/** A request independent of Fastify, in neutral names. */
export class ParsedRequest implements OperationRequest {
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
  readonly clientIp: string;
  readonly #caller: Caller | null;
  readonly #form: ReceivedForm | null;
  readonly #headers: unknown;
  readonly #wireFormat: WireFormat | undefined;
  readonly #log: Log;
  readonly #response: FastifyReply['raw'];

  constructor(request: FastifyRequest, reply: FastifyReply, log: Log, wireFormat: WireFormat | undefined) {
    this.id = request.id;
    this.clientIp = request.ip;
    const { query, body, params, headers } = request;
    this.query = wireFormat?.query === undefined ? query : wireFormat.query(query);
    this.body = wireFormat?.body === undefined ? body : wireFormat.body(body);
    this.params = wireFormat?.params === undefined ? params : wireFormat.params(params);
    this.#headers = headers;
    this.#wireFormat = wireFormat;
    this.#caller = request.caller;
    this.#form = request.form;
    this.#log = log;
    this.#response = reply.raw;
  }

  /** Converted on first use: most requests have a header whose name differs, and few handlers read any. */
  get headers(): unknown {
    return this.#wireFormat?.headers === undefined ? this.#headers : this.#wireFormat.headers(this.#headers);
  }

  get caller(): Caller {
    if (this.#caller === null) throw new Error('a public operation has no caller');
    return this.#caller;
  }

  get form(): ReceivedForm {
    if (this.#form === null) throw new Error('the operation takes no form');
    return this.#form;
  }

  /** Made on first use: few handlers can stop their work. */
  get disconnected(): AbortSignal {
    const controller = new AbortController();
    // It is also emitted at the end of a complete response, when the work is done.
    this.#response.once('close', () => controller.abort());
    return controller.signal;
  }

  get log(): Log {
    return this.#log.child({ requestId: this.id });
  }
}
