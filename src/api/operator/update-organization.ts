import { changeOrganization } from '../../access/organization.js';
import { EXAMPLE_ORGANIZATION_UUID } from '../../schema/example.js';
import { OperatorOrganizationResponse, UpdateOrganizationReqBody } from '../../schema/operator/organization.js';
import { operation } from '../http/operation.js';
import { changeOf } from './change.js';
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
  bodyExample: { organization_uuid: EXAMPLE_ORGANIZATION_UUID, status: 'active' },
  response: OperatorOrganizationResponse,
  errors: [400, 403, 404],
  handle: async (request, services) => {
    const { organization_uuid: id, name, billing_email: billingEmail, status } = request.body;
    await findOrganization(services, id);
    await changeOrganization(services.db, {
      id,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(billingEmail === undefined ? {} : { billingEmail }),
      ...(status === undefined ? {} : { status }),
      ...changeOf(request, services),
    });
    services.authenticator.forget();
    return organizationResponse(services, id);
  },
});
