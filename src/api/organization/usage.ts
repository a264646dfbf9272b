import Type from 'typebox';
import { UsageResponse } from '../../schema/portal/usage.js';
import { operation } from '../http/operation.js';
import { readUsage, usageQuery } from './read-usage.js';

export const usage = operation({
  id: 'usage',
  path: '/portal/organization/usage',
  tags: ['portal', 'organization'],
  title: 'Get compute units used',
  summary: "Read the calling organization's use of compute units by day, operation and key; a second old at most.",
  cost: { fixed: 0 },
  scope: 'portal',
  query: Type.Object(usageQuery),
  response: UsageResponse,
  errors: [400, 403, 404, 500],
  handle: ({ query, caller }, services) => readUsage(services, caller.organizationId, query),
});
