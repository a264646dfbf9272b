import type { TSchema } from 'typebox';
import type { Log } from '../log.js';
import { inDialect } from '../schema/dialect.js';
import { renamer } from '../schema/rename.js';
import { type Dialect, wirePath } from '../schema/wire-names.js';
import { Rendered } from '../view/rendered.js';
import type { Caller } from './caller.js';
import { type Operation, type OperationRequest, Outcome } from './operation.js';

type Rename = (value: unknown) => unknown;

/** How the parts of a request become neutral; a part without a renaming stays as it is. */
interface Reading {
  readonly query: Rename | undefined;
  readonly body: Rename | undefined;
  readonly params: Rename | undefined;
  readonly headers: Rename | undefined;
}

/** A request in neutral names, made of one in another dialect. */
class NeutralRequest implements OperationRequest {
  readonly id: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly params: unknown;
  readonly headers: unknown;
  readonly #request: OperationRequest;

  constructor(request: OperationRequest, { query, body, params, headers }: Reading) {
    this.id = request.id;
    this.query = query === undefined ? request.query : query(request.query);
    this.body = body === undefined ? request.body : body(request.body);
    this.params = params === undefined ? request.params : params(request.params);
    this.headers = headers === undefined ? request.headers : headers(request.headers);
    this.#request = request;
  }

  get caller(): Caller {
    return this.#request.caller;
  }

  get log(): Log {
    return this.#request.log;
  }
}

const rename = (schema: TSchema | undefined, to: Dialect): Rename | undefined =>
  schema === undefined ? undefined : renamer(schema, to);

/**
 * Makes what turns a handler's answer. Finished bytes are in the dialect already: the view wrote them in that of the
 * page (`Entities.dialect`).
 * @returns undefined where no body of the operation is called otherwise
 */
const answering = ({ response, outcomes = {} }: Operation): Rename | undefined => {
  const renames = new Map<number, Rename>();
  for (const [status, schema] of Object.entries({ ...outcomes, 200: response })) {
    const one = renamer(schema, 'ecosystem');
    if (one !== undefined) renames.set(Number(status), one);
  }
  if (renames.size === 0) return undefined;
  return (answer) => {
    if (answer instanceof Rendered) return answer;
    if (!(answer instanceof Outcome)) return renames.get(200)?.(answer) ?? answer;
    const { status, body, headers } = answer;
    return new Outcome(status, renames.get(status)?.(body) ?? body, headers);
  };
};

/** @returns the handler behind the names of the ecosystem; the very same one where it needs nothing of that. */
const handlerOf = (operation: Operation): Operation['handle'] => {
  const { query, body, params, headers } = operation;
  const reading: Reading = {
    query: rename(query, 'neutral'),
    body: rename(body, 'neutral'),
    params: rename(params, 'neutral'),
    headers: rename(headers, 'neutral'),
  };
  const reads = Object.values(reading).some((one) => one !== undefined);
  const answer = answering(operation);
  if (!reads && answer === undefined) return operation.handle;
  return async (request, services) => {
    const reply = await operation.handle(reads ? new NeutralRequest(request, reading) : request, services);
    return answer === undefined ? reply : answer(reply);
  };
};

/**
 * An operation as a dialect has it: its path, its shapes, and a handler that knows neutral names alone. There is no
 * second set of either: shapes are translated once (`src/schema/dialect.ts`), values where a shape says so.
 */
export const operationIn = (operation: Operation, dialect: Dialect): Operation => {
  if (dialect === 'neutral') return operation;
  const { query, body, params, headers, response, outcomes, path } = operation;
  return {
    ...operation,
    dialect,
    path: wirePath(path, dialect),
    ...(query && { query: inDialect(query, dialect) }),
    ...(body && { body: inDialect(body, dialect) }),
    ...(params && { params: inDialect(params, dialect) }),
    ...(headers && { headers: inDialect(headers, dialect) }),
    response: inDialect(response, dialect),
    ...(outcomes && {
      outcomes: Object.fromEntries(
        Object.entries(outcomes).map(([status, schema]) => [status, inDialect(schema, dialect)]),
      ),
    }),
    handle: handlerOf(operation),
  };
};
