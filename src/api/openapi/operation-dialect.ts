import type { TSchema } from 'typebox';
import { inDialect } from '../../schema/dialect.js';
import { renamer } from '../../schema/rename.js';
import { type Dialect, wirePath } from '../../schema/wire-names.js';
import { type Operation, Outcome, type Speech } from '../operation.js';

type Rename = (value: unknown) => unknown;

const rename = (schema: TSchema | undefined, to: Dialect): Rename | undefined =>
  schema === undefined ? undefined : renamer(schema, to);

/**
 * Makes what turns a handler's answer. Finished bytes are in the dialect already: the view wrote them in that of the
 * page (`View.dialect`).
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
    if (Buffer.isBuffer(answer)) return answer;
    if (!(answer instanceof Outcome)) return renames.get(200)?.(answer) ?? answer;
    const { status, body, headers } = answer;
    return new Outcome(status, renames.get(status)?.(body) ?? body, headers);
  };
};

/** @returns undefined where nothing of the operation is called otherwise: the handler is asked as it is then. */
const speechOf = (operation: Operation): Speech | undefined => {
  const { query, body, params, headers } = operation;
  const speech: Speech = {
    query: rename(query, 'neutral'),
    body: rename(body, 'neutral'),
    params: rename(params, 'neutral'),
    headers: rename(headers, 'neutral'),
    answer: answering(operation),
  };
  return Object.values(speech).some((turn) => turn !== undefined) ? speech : undefined;
};

/**
 * An operation as a dialect has it: its path, its shapes, and what turns requests and answers for the same handler. There
 * is no second set of either: shapes are translated once (`src/schema/dialect.ts`), values where a shape says so.
 */
export const operationIn = (operation: Operation, dialect: Dialect): Operation => {
  if (dialect === 'neutral') return operation;
  const { query, body, params, headers, response, outcomes, path } = operation;
  const speech = speechOf(operation);
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
    ...(speech && { speech }),
  };
};
