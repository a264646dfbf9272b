import Type from 'typebox';
import { RequestLogResponse } from '../../schema/portal/request-log.js';
import { operation } from '../http/operation.js';
import { readRequests, requestQuery } from './read-requests.js';

export const listRequests = operation({
  id: 'list-requests',
  path: '/portal/requests',
  tags: ['portal', 'organization'],
  title: 'List requests of the last hour',
  summary:
    'Find requests with keys of the calling organization by id, key, operation or status: what each cost and why it failed.',
  cost: { fixed: 0 },
  scope: 'portal',
  isUnlisted: true,
  query: Type.Object(requestQuery),
  response: RequestLogResponse,
  errors: [400, 403],
  handle: ({ query, caller }, services) => readRequests(services, caller.organizationId, query),
});
