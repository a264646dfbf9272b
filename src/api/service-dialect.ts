import { DIALECTS, type Dialect, hasTwin } from '../schema/wire-names.js';
import type { Operation } from './operation.js';
import { operationIn } from './openapi/operation-dialect.js';
import type { Services } from './service.js';

/** @returns the same services for the paths of a dialect: what they render is in its names. */
const servicesIn = (services: Services, dialect: Dialect): Services => ({
  ...services,
  dialect,
  reads: services.reads.forDialect(dialect),
});

/** An operation as one dialect has it, and what answers in that. */
interface Spoken {
  readonly operation: Operation;
  readonly services: Services;
}

/** @returns operations with a path for each dialect in both, the others in the configured one. */
export const speakAll = (operations: readonly Operation[], services: Services): Spoken[] => {
  const parts = { neutral: servicesIn(services, 'neutral'), ecosystem: servicesIn(services, 'ecosystem') };
  return operations.flatMap((operation) =>
    (hasTwin(operation.path) ? DIALECTS : [services.dialect]).map((dialect) => ({
      operation: operationIn(operation, dialect),
      services: parts[dialect],
    })),
  );
};
