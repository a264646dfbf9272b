import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Caller } from '../../access/caller.js';
import type { ReadContext } from '../../cache/read-context.js';
import type { StreamOutput } from '../../event/stream/event-stream.js';
import type { Log } from '../../log.js';
import type { ParameterTexts } from '../../schema/parameter-text.js';
import type { Scope } from '../../schema/scope.js';
import type { Dialect } from '../../schema/wire-names.js';
import type { Cost } from './cost.js';
import { type Family, familyOf } from './family.js';
import type { ReceivedForm } from './form-body.js';
import type { OwnServices, Services } from './service.js';

/** Whether an operation waits for other servers; a function decides by the query, which is not validated yet. */
export type WaitsOutside = true | ((query: Readonly<Record<string, unknown>>) => boolean);

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A valid request. */
export interface OperationRequest<Query = unknown, Body = unknown, Params = unknown, Headers = unknown> {
  /** In the response header `x-request-id` and in every log line. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly params: Params;
  readonly headers: Headers;
  /** @throws Error in a public operation, which has no authenticated caller. */
  readonly caller: Caller;
  /** The received form of operations with `isForm`. @throws Error in others */
  readonly form: ReceivedForm;
  /** Address of the client, from the connection or a trusted proxy. */
  readonly clientIp: string;
  /** Carries the request id. */
  readonly log: Log;
  /** Aborted when the client closes the connection, or when the response is complete. */
  readonly disconnected: AbortSignal;
}

/** A response with additional headers, or with a successful status other than 200 (202 queued, 207 partly done). */
export class HandlerResponse<T = unknown> {
  constructor(
    readonly status: number,
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/**
 * A response that goes on until its connection is closed: Server-Sent Events, or messages of a WebSocket if the client
 * asked for one.
 */
export class StreamResponse {
  /** @param begin is called once with the open connection */
  constructor(readonly begin: (output: StreamOutput) => void) {}
}

/** Body schema of operations that take raw bytes (`application/octet-stream`); the handler gets a Buffer. */
export const octetStream = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

/** Body schema of operations that take signed JSON; the handler gets the received text. */
export const signedJson = Type.Unsafe<string>({ type: 'object' });

// biome-ignore lint/complexity/noBannedTypes: an operation without query has an object without members
type Nothing = TObject<{}>;

/** Services of operations that only read; reads outside of the read context would miss their tags. */
export type ReadServices = Pick<Services, 'cursorKey' | 'writer' | 'meaning'>;

interface Description<
  Response extends TSchema,
  Query extends TObject,
  Body extends TSchema,
  Params extends TObject,
  Headers extends TObject,
> {
  /** operationId of the contract, and the file's name. */
  readonly id: string;
  /** Default: GET. */
  readonly method: Method;
  /** As in the contract; it is served with and without a trailing slash. */
  readonly path: string;
  readonly tags: readonly string[];
  /** Short and unique: for the side bar of the reference. */
  readonly title: string;
  /** A sentence about what it does. */
  readonly summary: string;
  /**
   * Of a call in compute units, according to its work: a response has at most 16 KB for each unit
   * (test/response-size-per-unit.test.ts). Reads of one row cost 1 to 5, lists cost by the result, and writes 10 to 150.
   * Operations without an API key are free, and so is billing: an organization without units must be able to upgrade.
   */
  readonly cost: Cost;
  /** `public`: needs no API key. Default: `read` for GET and `write` for other methods. */
  readonly scope: Scope | 'public';
  /** What it returns belongs to the calling app or is counted for it, so it is never read without a key. */
  readonly needsApp?: true;
  /** For a public operation: limits the requests of each client address. */
  readonly limitsAddresses?: true;
  /** A `ticket` in the query may take the place of the API key (POST /v2/social/stream/ticket/). */
  readonly takesTicket?: true;
  /**
   * It waits mostly for other servers (chains, models, hosts), so its requests are limited apart from the others; a
   * function decides by the query, which is not validated yet. A read that waits is never open to requests without a
   * key. An operation that does not say so lacks the services that ask chains and models (`OwnServices`).
   */
  readonly waitsOutside?: WaitsOutside;
  /** It is not in the request log, which would be full of itself. */
  readonly isUnlisted?: true;
  /** Media type of the response; default: `application/json`. */
  readonly mediaType?: 'text/event-stream';
  readonly query?: Query;
  readonly body?: Body;
  /** A body that a development service with the sample network accepts unchanged, unless `bodyExampleNote` says what it lacks. */
  readonly bodyExample?: object;
  /** What to put into the example before it is sent. */
  readonly bodyExampleNote?: string;
  readonly params?: Params;
  /** The body is `multipart/form-data`; its text parts are the members. */
  readonly isForm?: true;
  /** Maximum size of the body where it is not that of all operations. */
  readonly maxBodyBytes?: number;
  /** Names in lower case. */
  readonly headers?: Headers;
  /** Texts and examples of parameters, where their schemas have none or are shared with other operations. */
  readonly parameters?: ParameterTexts;
  readonly response: Response;
  /** Bodies of successful statuses other than 200. */
  readonly outcomes?: Readonly<Record<number, TSchema>>;
  /**
   * Error statuses that the contract lists for this operation, and for writes 409 (conflict of `idem` or of timestamps)
   * and 504 (unknown outcome). 401 and 429 of the shared layers are not listed. Default: only 400.
   */
  readonly errors: readonly number[];
  /** Body of a 400: `ErrorRes` of the family unless the contract requires `ValidationErrorRes` or allows either. */
  readonly invalidBody?: 'validation' | 'either';
}

/** An operation that writes, or reads from sources other than the database. */
interface Handler<Response, Request, Given = Services> {
  /** @returns the response's bytes, or an object that is serialized as JSON. @throws AppError */
  handle(request: Request, services: Given): Reply<Response> | Promise<Reply<Response>>;
}

/** An operation that reads from the database; its response may come from the cache. */
interface Read<Request> {
  /**
   * @param read all reads use this, which collects the dependency tags of the response
   * @returns the response's bytes
   * @throws AppError
   */
  read(request: Request, read: ReadContext, services: ReadServices): Promise<Buffer>;
}

type Reply<Body> = Body | Buffer | HandlerResponse | StreamResponse;

type Convert = (value: unknown) => unknown;

/** Converts request parts to neutral names, and responses from them; undefined: no conversion. */
export interface WireFormat {
  readonly query: Convert | undefined;
  readonly body: Convert | undefined;
  readonly params: Convert | undefined;
  readonly headers: Convert | undefined;
  /** Converts the result of a handler. */
  readonly answer: Convert | undefined;
}

/** An operation with its types erased. */
export interface Operation
  extends Description<TSchema, TObject, TSchema, TObject, TObject>,
    Partial<Handler<unknown, OperationRequest>>,
    Partial<Read<OperationRequest>> {
  readonly family: Family;
  /** Dialect of the names in its path and schemas; neutral by default (`service-dialect.ts`). */
  readonly dialect?: Dialect;
  /** Converts between that dialect and the neutral names of the handler. */
  readonly wireFormat?: WireFormat;
}

type Request<
  Query extends TObject,
  Body extends TSchema,
  Params extends TObject,
  Headers extends TObject,
> = OperationRequest<Static<Query>, Static<Body>, Static<Params>, Static<Headers>>;

type Defaulted = 'method' | 'scope' | 'errors';

/** Declares one operation of the API; the types of its request are inferred from its schemas. */
export const operation = <
  Response extends TSchema,
  Query extends TObject = Nothing,
  Body extends TSchema = TSchema,
  Params extends TObject = Nothing,
  Headers extends TObject = Nothing,
  Waits extends WaitsOutside | undefined = undefined,
>(
  definition: Omit<Description<Response, Query, Body, Params, Headers>, Defaulted | 'waitsOutside'> & {
    readonly waitsOutside?: Waits;
  } & Partial<Pick<Description<Response, Query, Body, Params, Headers>, Defaulted>> &
    (
      | Handler<
          Static<Response>,
          Request<Query, Body, Params, Headers>,
          Waits extends WaitsOutside ? Services : OwnServices
        >
      | Read<Request<Query, Body, Params, Headers>>
    ),
): Operation => {
  const { method = 'GET', errors = [400], path } = definition;
  const scope = method === 'GET' ? 'read' : 'write';
  return { scope, ...definition, method, errors, family: familyOf(path) } as unknown as Operation;
};
