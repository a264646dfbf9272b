import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Scope } from '../access/scope.js';
import type { ReadContext } from '../cache/read-context.js';
import type { Log } from '../log.js';
import type { Dialect } from '../schema/wire-names.js';
import type { Caller } from '../access/caller.js';
import type { Family } from './http/family.js';
import type { Services } from './service.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A valid request, as a handler sees it. */
export interface OperationRequest<Query = unknown, Body = unknown, Params = unknown, Headers = unknown> {
  /** Stands in the response header `x-request-id` and in every log line. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly params: Params;
  readonly headers: Headers;
  /** @throws Error in a public operation: nobody in particular calls it. */
  readonly caller: Caller;
  /** Carries the request id. */
  readonly log: Log;
}

/** An answer with another status than 200 that is no error (202 queued, 207 partly done), or with headers of its own. */
export class Outcome<T = unknown> {
  constructor(
    readonly status: number,
    readonly body: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Body schema of operations that take raw bytes (`application/octet-stream`): the handler gets a Buffer. */
export const octetStream = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

/**
 * Body schema of operations that take JSON whose sender signed it: the handler gets the text as it came, which it
 * parses itself once it knows who wrote it.
 */
export const signedJson = Type.Unsafe<string>({ type: 'object' });

// biome-ignore lint/complexity/noBannedTypes: an object without members is what an operation without query has
type Nothing = TObject<{}>;

/** What an operation that only reads may use besides its context: nothing that reads past it. */
export type ReadServices = Pick<Services, 'cursorKey' | 'writer'>;

interface Description<
  Response extends TSchema,
  Query extends TObject,
  Body extends TSchema,
  Params extends TObject,
  Headers extends TObject,
> {
  /** operationId of the contract, also the file's name. What a call costs stands under it in `cost-table.ts`. */
  readonly id: string;
  readonly method: Method;
  /** As the contract spells it; both forms, with and without trailing slash, are answered. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly family: Family;
  /** `public`: answered without a key. */
  readonly scope: Scope | 'public';
  /** A public operation whose requests are counted by the address they come from, before anything else is done. */
  readonly limitsAddresses?: true;
  readonly query?: Query;
  readonly body?: Body;
  readonly params?: Params;
  /** Names in lower case. */
  readonly headers?: Headers;
  readonly response: Response;
  /** Bodies of other statuses than 200 that are no errors. */
  readonly outcomes?: Readonly<Record<number, TSchema>>;
  /**
   * Error statuses that the contract lists for this operation, and those that it has besides: of writes 409 (its `idem`
   * or its time is taken) and 504 (the outcome is unknown). Those of shared layers (401, 429) are understood.
   */
  readonly errors: readonly number[];
  /** The 400 body: `ErrorRes` of the family unless the contract asks for `ValidationErrorRes`, or allows either. */
  readonly invalidBody?: 'validation' | 'either';
}

/** An operation that does something, or reads what is not stored here. */
interface Handler<Response, Request> {
  /** Finished bytes, or an object that is sent as JSON. Throws AppError; never sees HTTP. */
  handle(request: Request, services: Services): Reply<Response> | Promise<Reply<Response>>;
}

/** An operation that answers from what is stored, and is itself answered from the cache where that is right. */
interface Read<Request> {
  /**
   * Throws AppError; never sees HTTP.
   * @param read everything is read through this, so that whatever the answer is made from is known
   * @returns finished bytes
   */
  read(request: Request, read: ReadContext, services: ReadServices): Promise<Buffer>;
}

type Reply<Body> = Body | Buffer | Outcome;

type Turn = (value: unknown) => unknown;

/** Parts of requests are turned into neutral names, answers out of them; what needs no turning is absent. */
export interface Speech {
  readonly query: Turn | undefined;
  readonly body: Turn | undefined;
  readonly params: Turn | undefined;
  readonly headers: Turn | undefined;
  /** Of what a handler returns. */
  readonly answer: Turn | undefined;
}

/** An operation as the shell sees it, whatever its types are. */
export interface Operation
  extends Description<TSchema, TObject, TSchema, TObject, TObject>,
    Partial<Handler<unknown, OperationRequest>>,
    Partial<Read<OperationRequest>> {
  /** Whose names its path and shapes are in; neutral unless said (`operation-dialect.ts`). */
  readonly dialect?: Dialect;
  /** Turns what is said in that dialect for the handler, which knows neutral names alone. */
  readonly speech?: Speech;
}

type Request<
  Query extends TObject,
  Body extends TSchema,
  Params extends TObject,
  Headers extends TObject,
> = OperationRequest<Static<Query>, Static<Body>, Static<Params>, Static<Headers>>;

/** Declares one operation of the interface; the types of the request follow from its schemas. */
export const operation = <
  Response extends TSchema,
  Query extends TObject = Nothing,
  Body extends TSchema = TSchema,
  Params extends TObject = Nothing,
  Headers extends TObject = Nothing,
>(
  definition: Description<Response, Query, Body, Params, Headers> &
    (Handler<Static<Response>, Request<Query, Body, Params, Headers>> | Read<Request<Query, Body, Params, Headers>>),
): Operation => definition as unknown as Operation;
