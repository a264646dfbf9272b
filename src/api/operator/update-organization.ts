import { changeOrganization } from '../../access/organization.js';
import { OperatorOrganizationResponse, UpdateOrganizationReqBody } from '../../schema/operator/organization.js';
import { operation } from '../http/operation.js';
import { findOrganization, organizationResponse } from './find-organization.js';

export const updateOrganization = operation({
  id: 'update-organization',
  method: 'PUT',
  path: '/operator/organization',
  tags: ['operator'],
  title: 'Change an organization',
  summary:
    'Change its name, where invoices go to, or suspend it: keys of an inactive organization end within a second.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: UpdateOrganizationReqBody,
  bodyExample: { organization_uuid: '00000000-0000-4000-8000-000000000001', status: 'active' },
  response: OperatorOrganizationResponse,
  errors: [400, 403, 404],
  handle: async ({ id: requestId, body, caller }, services) => {
    const { organization_uuid: id, name, billing_email: billingEmail, status } = body;
    await findOrganization(services, id);
    await changeOrganization(services.db, {
      id,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(billingEmail === undefined ? {} : { billingEmail }),
      ...(status === undefined ? {} : { status }),
      actor: { keyId: caller.keyId, requestId },
      now: new Date(services.clock()),
    });
    return organizationResponse(services, id);
  },
});
