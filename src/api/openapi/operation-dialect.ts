import type { TSchema } from 'typebox';
import { inDialect } from '../../schema/dialect.js';
import { renamer } from '../../schema/rename.js';
import { type Dialect, wirePath } from '../../schema/wire-names.js';
import { HandlerResponse, type Operation, type WireFormat } from '../http/operation.js';

type Rename = (value: unknown) => unknown;

/**
 * Makes the conversion of a handler's result. Bytes are returned unchanged: the view already wrote them in the right
 * dialect (`View.dialect`).
 * @returns undefined when no member of the responses has a different name
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
    if (!(answer instanceof HandlerResponse)) return renames.get(200)?.(answer) ?? answer;
    const { status, body, headers } = answer;
    return new HandlerResponse(status, renames.get(status)?.(body) ?? body, headers);
  };
};

/** The parts of a request that have schemas. */
const PARTS = ['query', 'body', 'params', 'headers'] as const;

/** @returns what `work` makes of the schema of each part that the operation has */
const ofParts = <T>(operation: Operation, work: (schema: TSchema) => T) =>
  Object.fromEntries(
    PARTS.flatMap((part) => {
      const schema = operation[part];
      return schema === undefined ? [] : [[part, work(schema)]];
    }),
  );

/** @returns undefined when nothing in the operation has a different name, so no conversion is needed */
const wireFormatOf = (operation: Operation): WireFormat | undefined => {
  const requests = ofParts(operation, (schema) => renamer(schema, 'neutral'));
  const wireFormat = { ...requests, answer: answering(operation) } as WireFormat;
  return Object.values(wireFormat).some((turn) => turn !== undefined) ? wireFormat : undefined;
};

const converted = new WeakMap<Operation, Operation>();

/**
 * Converts an operation to a dialect, once in a process: its path, its schemas, and the conversion of requests and
 * responses for the same handler. Schemas are translated from the neutral ones (`src/schema/dialect.ts`).
 */
export const operationIn = (operation: Operation, dialect: Dialect): Operation => {
  if (dialect === 'neutral') return operation;
  const known = converted.get(operation) ?? toEcosystem(operation);
  converted.set(operation, known);
  return known;
};

const toEcosystem = (operation: Operation): Operation => {
  const dialect = 'ecosystem';
  const { response, outcomes, path } = operation;
  const wireFormat = wireFormatOf(operation);
  return {
    ...operation,
    dialect,
    path: wirePath(path, dialect),
    ...ofParts(operation, (schema) => inDialect(schema, dialect)),
    response: inDialect(response, dialect),
    ...(outcomes && {
      outcomes: Object.fromEntries(
        Object.entries(outcomes).map(([status, schema]) => [status, inDialect(schema, dialect)]),
      ),
    }),
    ...(wireFormat && { wireFormat }),
  };
};
