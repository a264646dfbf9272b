import { DIALECTS, type Dialect, hasEcosystemPath } from '../schema/wire-names.js';
import type { Operation } from './http/operation.js';
import type { Services } from './http/service.js';
import { operationIn } from './openapi/operation-dialect.js';

/** @returns the services with responses in a dialect */
const servicesIn = (services: Services, dialect: Dialect): Services => ({
  ...services,
  dialect,
  reads: services.reads.forDialect(dialect),
});

interface DialectOperation {
  readonly operation: Operation;
  readonly services: Services;
}

/** @returns operations whose path differs by dialect in both dialects, the others in the configured one */
export const operationsByDialect = (operations: readonly Operation[], services: Services): DialectOperation[] => {
  const parts = { neutral: servicesIn(services, 'neutral'), ecosystem: servicesIn(services, 'ecosystem') };
  return operations.flatMap((operation) =>
    (hasEcosystemPath(operation.path) ? DIALECTS : [services.dialect]).map((dialect) => ({
      operation: operationIn(operation, dialect),
      services: parts[dialect],
    })),
  );
};
