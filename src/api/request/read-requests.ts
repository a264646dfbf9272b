import Type, { type Static } from 'typebox';
import { HOUR_MS } from '../../duration.js';
import type { LoggedRequest, RequestLogResponse } from '../../schema/portal/request-log.js';
import { type RequestRow, selectRequests } from '../../store/access/request-log.js';
import type { Services } from '../http/service.js';

const MAX_ROWS = 100;

/** Query members that say which requests are looked for. */
export const requestQuery = {
  request_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'The header `x-request-id` of a response.' }),
  ),
  key_uuid: Type.Optional(Type.String({ format: 'uuid', description: 'Requests with this key.' })),
  operation: Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,80}$', description: 'Requests of this operation: `fetch-bulk-users`.' }),
  ),
  status: Type.Optional(
    Type.String({ pattern: '^([1-5]\\d\\d|failed)$', description: 'A status, or `failed`: all from 400 on.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS, description: 'Requests of a page.' }),
  ),
  cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: '`next.cursor` of the page before.' })),
};
const RequestQuery = Type.Object(requestQuery);

const viewRequest = (row: RequestRow): LoggedRequest => ({
  request_id: row.requestId,
  at: row.at.toISOString(),
  operation: row.operation,
  method: row.method,
  address: row.address,
  status: row.status,
  compute_units: row.units,
  milliseconds: Math.round(row.milliseconds * 10) / 10,
  key_uuid: row.keyId,
  key_name: row.keyName,
  organization_uuid: row.organizationId,
  error:
    row.errorCode === null
      ? null
      : { code: row.errorCode, message: row.errorMessage ?? '', property: row.errorProperty },
});

/**
 * @param organizationId undefined: requests of all organizations
 * @returns the requests of the last hour that fit, the newest first
 */
export const readRequests = async (
  { db, clock, requestLog }: Pick<Services, 'db' | 'clock' | 'requestLog'>,
  organizationId: string | undefined,
  query: Static<typeof RequestQuery>,
): Promise<RequestLogResponse> => {
  const { request_id: requestId, key_uuid: keyId, operation, status, limit = MAX_ROWS, cursor } = query;
  const isFailed = status === 'failed';
  const found = await selectRequests(
    db,
    { organizationId, requestId, keyId, operation, isFailed, status: isFailed || !status ? undefined : Number(status) },
    { since: new Date(clock() - HOUR_MS), before: cursor === undefined ? undefined : Number(cursor), limit: limit + 1 },
  );
  const page = found.slice(0, limit);
  return {
    is_on: requestLog !== undefined,
    requests: page.map(viewRequest),
    next: { cursor: found.length > limit ? String(page.at(-1)?.id) : null },
  };
};
