import type { Caller } from '../../access/caller.js';
import type { Plan, Plans } from '../../billing/plan/plan.js';
import { AppError, notFound } from '../../error.js';

/**
 * @param wanted `newPlan` is an id or a name in any case
 * @throws AppError 'not_found' for an unknown plan, 'invalid' (PlanNotOffered) for one that only operators can assign
 */
export const requestedPlan = (
  plans: Plans,
  wanted: { readonly newPlan: string; readonly productCategory?: Plan['category'] },
  caller: Caller,
): Plan => {
  const { newPlan, productCategory: category } = wanted;
  const plan = plans.find(newPlan.trim(), category);
  if (plan === undefined) {
    const offered = plans.all.filter((one) => one.offered !== false && (!category || one.category === category));
    // Both categories may have a plan of the same name.
    const names = [...new Set(offered.map(({ name }) => name))];
    const choice = names.length > 0 ? `Choose one of ${names.join(', ')}` : 'It has none';
    const where = category === undefined ? '' : ` in the category ${category}`;
    throw notFound(`There is no plan "${newPlan.slice(0, 60)}"${where}. ${choice}.`, 'newPlan');
  }
  if (plan.offered === false && plan.id !== caller.planId) {
    const message = `The plan ${plan.name} is not for everyone to change to. Ask the operator for it.`;
    throw new AppError('invalid', 'PlanNotOffered', message, { property: 'newPlan' });
  }
  return plan;
};
