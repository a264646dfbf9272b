import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { nextPage } from '../page.js';

const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

/** Own extension: a request that was answered within the last hour. */
export const LoggedRequest = namedObject('LoggedRequest', {
  request_id: Type.String({ description: 'As in the header `x-request-id` of its response.' }),
  at: Type.String({ format: 'date-time', description: 'When it came.' }),
  operation: Type.String(),
  method: Type.String(),
  address: Type.String({
    description: 'Path and query; secrets, and parameters that the operation has not, are `***`.',
  }),
  status: Type.Integer(),
  compute_units: count,
  milliseconds: Type.Number({ minimum: 0, description: 'Until its response was sent.' }),
  key_uuid: Type.String({ format: 'uuid' }),
  key_name: nullable(Type.String({ description: 'null: the key was deleted.' })),
  organization_uuid: Type.String({ format: 'uuid' }),
  error: nullable(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      property: nullable(Type.String({ description: 'The member of the request that is wrong.' })),
    }),
  ),
});
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestLogResponse = namedObject('RequestLogResponse', {
  is_on: Type.Boolean({ description: 'false: the service keeps no requests (`CASTELLAN_REQUEST_LOG`).' }),
  requests: Type.Array(LoggedRequest, { description: 'The newest first.' }),
  next: nextPage,
});
export type RequestLogResponse = Static<typeof RequestLogResponse>;

export const RequestCountsResponse = namedObject('RequestCountsResponse', {
  is_on: Type.Boolean({ description: 'false: the service keeps no requests (`CASTELLAN_REQUEST_LOG`).' }),
  minutes: Type.Array(
    Type.Object({
      at: time,
      requests: count,
      failed: Type.Integer({ minimum: 0, description: 'Of these, with a status from 400 on.' }),
      unlisted: Type.Integer({ minimum: 0, description: 'Of these, not in the log: there were too many at once.' }),
    }),
    { description: 'The last 60, the oldest first; the running one is the last.' },
  ),
});
