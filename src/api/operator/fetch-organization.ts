import Type from 'typebox';
import { OperatorOrganizationResponse } from '../../schema/operator/organization.js';
import { uuid } from '../../schema/operator/uuid.js';
import { operation } from '../http/operation.js';
import { organizationResponse } from './find-organization.js';

export const fetchOrganization = operation({
  id: 'fetch-organization',
  path: '/operator/organization',
  tags: ['operator'],
  title: 'Get an organization',
  summary: 'Read an organization: its plan, what it used of it, and whether its keys work.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({ organization_uuid: uuid }),
  response: OperatorOrganizationResponse,
  errors: [400, 403, 404],
  handle: ({ query }, services) => organizationResponse(services, query.organization_uuid),
});
