import Type from 'typebox';
import { RequestLogResponse } from '../../schema/portal/request-log.js';
import { operation } from '../http/operation.js';
import { readRequests, requestQuery } from './read-requests.js';

export const listServiceRequests = operation({
  id: 'list-service-requests',
  path: '/operator/requests',
  tags: ['operator'],
  title: 'List requests of all organizations',
  summary: 'Find requests of the last hour with any key by id, key, operation or status.',
  cost: { fixed: 0 },
  scope: 'operator',
  isUnlisted: true,
  query: Type.Object({
    ...requestQuery,
    organization_uuid: Type.Optional(Type.String({ format: 'uuid', description: 'Requests of this organization.' })),
  }),
  response: RequestLogResponse,
  errors: [400, 403],
  handle: ({ query: { organization_uuid: organizationId, ...query } }, services) =>
    readRequests(services, organizationId, query),
});
