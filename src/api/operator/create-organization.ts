import { makeOrganization } from '../../access/organization.js';
import { CreateOrganizationReqBody, OperatorOrganizationResponse } from '../../schema/operator/organization.js';
import { operation } from '../http/operation.js';
import { changeOf } from './change.js';
import { organizationResponse } from './find-organization.js';

export const createOrganization = operation({
  id: 'create-organization',
  method: 'POST',
  path: '/operator/organizations',
  tags: ['operator'],
  title: 'Make an organization',
  summary:
    'Make an organization: its apps and their keys share its plan and its bill. It begins with the default plan.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: CreateOrganizationReqBody,
  bodyExample: { name: 'Harbor Labs', billing_email: 'billing@harbor.example' },
  response: OperatorOrganizationResponse,
  errors: [400, 403],
  handle: async (request, services) => {
    const { body } = request;
    const { id } = await makeOrganization(services.db, {
      name: body.name.trim(),
      ...(body.billing_email === undefined ? {} : { billingEmail: body.billing_email }),
      ...changeOf(request, services),
    });
    return organizationResponse(services, id);
  },
});
