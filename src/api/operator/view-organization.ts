import type { Plans } from '../../billing/plan/plan.js';
import { subscribedPlanId } from '../../billing/plan/subscribed-plan-id.js';
import type { OperatorOrganization } from '../../schema/operator/organization.js';
import type { ListedOrganization } from '../../store/access/organization.js';

/** @returns an organization as an operator sees it, with the plan whose limits hold now */
export const viewOrganization = (plans: Plans, row: ListedOrganization): OperatorOrganization => {
  const { id, name, organizationStatus, billingEmail, status, nextPlanId, usedUnits } = row;
  const plan = plans.byId(subscribedPlanId(row));
  return {
    uuid: id,
    name,
    status: organizationStatus as OperatorOrganization['status'],
    billing_email: billingEmail,
    plan: plan.id,
    subscription_status: status,
    next_plan: nextPlanId,
    period: { start: row.periodStart.toISOString(), end: row.periodEnd.toISOString() },
    compute_units_used: usedUnits,
    compute_units_limit: plan.units,
    created_at: row.createdAt.toISOString(),
  };
};
