import type { Database } from '../../src/db/database.js';
import { type Difference, selectDifferences } from '../../src/store/audit/audit.js';
import { BILLING_CHECKS } from '../../src/store/audit/billing.js';

/** @returns the differences in the books that `castellan audit` reports */
export const auditBilling = async (db: Database): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const check of Object.keys(BILLING_CHECKS)) differences.push(...(await selectDifferences(db, check)));
  return differences;
};
