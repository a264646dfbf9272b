import Type from 'typebox';
import { uuid } from '../../schema/operator/uuid.js';
import { UsageResponse } from '../../schema/portal/usage.js';
import { operation } from '../http/operation.js';
import { readUsage, usageQuery } from '../organization/read-usage.js';
import { findOrganization } from './find-organization.js';

export const fetchOrganizationUsage = operation({
  id: 'fetch-organization-usage',
  path: '/operator/organization/usage',
  tags: ['operator'],
  title: 'Get compute units used by an organization',
  summary: "Read an organization's use of compute units by day, operation and key; a second old at most.",
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({ organization_uuid: uuid, ...usageQuery }),
  response: UsageResponse,
  errors: [400, 403, 404],
  handle: async ({ query: { organization_uuid: id, ...query } }, services) => {
    await findOrganization(services, id);
    return readUsage(services, id, query);
  },
});
