import { applyChange } from '../../billing/plan/change.js';
import { grantPlan } from '../../billing/plan/grant.js';
import { invalidField } from '../../error.js';
import { EXAMPLE_ORGANIZATION_UUID } from '../../schema/example.js';
import { OperatorOrganizationResponse, OrganizationPlanReqBody } from '../../schema/operator/organization.js';
import { operation } from '../http/operation.js';
import { changeOf } from './change.js';
import { findOrganization, organizationResponse } from './find-organization.js';

export const setOrganizationPlan = operation({
  id: 'set-organization-plan',
  method: 'PUT',
  path: '/operator/organization/plan',
  tags: ['operator'],
  title: 'Change the plan of an organization',
  summary: 'Change a plan as the organization could itself (dearer at once, cheaper when the period ends), or give it.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: OrganizationPlanReqBody,
  bodyExample: { organization_uuid: EXAMPLE_ORGANIZATION_UUID, plan: 'growth', is_grant: true },
  response: OperatorOrganizationResponse,
  errors: [400, 402, 403, 404, 409],
  handle: async (request, services) => {
    const { money, plans } = services;
    const { organization_uuid: organizationId, plan: word, is_grant: isGrant } = request.body;
    const plan = plans.find(word.trim());
    if (plan === undefined)
      throw invalidField('plan', `There is no plan "${word}": use one of ${plans.all.map(({ id }) => id).join(', ')}.`);
    await findOrganization(services, organizationId);
    const { actor, now } = changeOf(request, services);
    const change = { organizationId, plan, now };
    if (isGrant) await grantPlan(money, { ...change, actor });
    else await applyChange(money, { ...change, ...actor });
    return organizationResponse(services, organizationId);
  },
});
