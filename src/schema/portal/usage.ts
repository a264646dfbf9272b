import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';

const count = Type.Integer({ format: 'int64', minimum: 0 });
const day = Type.String({ format: 'date' });
const time = Type.String({ format: 'date-time' });

/** Own extension: the details of the usage that an upgrade preview shows. */
export const UsageResponse = namedObject('UsageResponse', {
  plan: Type.String({ description: 'Name of the plan whose units count now.' }),
  period: Type.Object({ start: time, end: time }),
  computeUnitsLimit: Type.Integer({ format: 'int64', description: 'A period; 9007199254740991 is unlimited.' }),
  computeUnitsUsed: Type.Integer({ format: 'int64', minimum: 0, description: 'In the running period.' }),
  from: day,
  to: day,
  total: Type.Object({ calls: count, computeUnits: count }),
  usage: Type.Array(
    Type.Object({
      day: Type.Optional(day),
      operation: Type.Optional(Type.String({ description: 'operationId' })),
      keyId: Type.Optional(Type.String({ format: 'uuid' })),
      keyName: Type.Optional(Type.String()),
      calls: count,
      computeUnits: count,
    }),
    { description: 'By what `group` names, in the order of days, operations and keys; the rest is absent.' },
  ),
});
export type UsageResponse = Static<typeof UsageResponse>;
