import Type, { type Static } from 'typebox';
import { named, namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { stringEnum } from '../string-enum.js';

const text = Type.String();
const time = Type.String({ format: 'date-time' });

/** Members about a subscription are null if the organization has none. */
export const BillingResponse = namedObject('BillingResponse', {
  auth_provider_organization_id: text,
  organization_name: text,
  organization_status: nullable(text),
  billing_email: nullable(text),
  effective_plan: text,
  plan_tier: nullable(text),
  product_category: nullable(text),
  product_name: nullable(text),
  has_active_subscription: Type.Boolean(),
  is_trialing: Type.Boolean(),
  subscription_status: nullable(text),
  subscription_start: nullable(time),
  subscription_end: nullable(time),
  payment_customer_id: nullable(text),
  payment_product_id: nullable(text),
  payment_subscription_id: nullable(text),
});
export type BillingResponse = Static<typeof BillingResponse>;

export const ProductCategory = named('ProductCategory', stringEnum(['API', 'STUDIO']));

/** `newPlan` is the id or the name of a plan, case-insensitive. */
export const UpgradeReqBody = namedObject('UpgradeReqBody', {
  newPlan: text,
  productCategory: Type.Optional(ProductCategory),
});

/** Amounts are US dollars. */
export const UpgradeResponse = namedObject('UpgradeResponse', {
  success: Type.Boolean(),
  newPlan: text,
  creditApplied: Type.Number(),
  chargeAmount: Type.Number(),
  effectiveImmediately: Type.Boolean(),
});
export type UpgradeResponse = Static<typeof UpgradeResponse>;

/**
 * Prices and amounts are US dollars, limits and usage compute units; `unitRate` is dollars for each unit, unrounded.
 */
export const UpgradePreviewResponse = namedObject('UpgradePreviewResponse', {
  currentPlan: Type.Object({
    name: text,
    price: Type.Number(),
    computeUnitsLimit: Type.Number(),
    computeUnitsUsed: Type.Number(),
  }),
  newPlan: Type.Object({ name: text, price: Type.Number(), computeUnitsLimit: Type.Number() }),
  credit: Type.Object({ unusedUnits: Type.Number(), unitRate: Type.Number(), creditAmount: Type.Number() }),
  chargeAmount: Type.Number(),
  billingDateUnchanged: Type.Boolean(),
  usageCarriesOver: Type.Boolean(),
});
export type UpgradePreviewResponse = Static<typeof UpgradePreviewResponse>;

/** The body of every failed request that requires a payment; `paymentMethod` is the one that was charged, if any. */
export const PortalUpgradeErrorRes = namedObject('PortalUpgradeErrorRes', {
  code: text,
  message: text,
  paymentMethod: Type.Optional(Type.Object({ brand: text, last4: text })),
});
