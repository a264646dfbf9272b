/** @returns the plan of a subscription; null, which means the default plan, where none holds or it was canceled */
export const subscribedPlanId = (
  subscription: { readonly planId: string | null; readonly status: string | null } | undefined,
): string | null => (subscription === undefined || subscription.status === 'canceled' ? null : subscription.planId);
