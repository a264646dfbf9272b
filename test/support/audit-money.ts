import { type Difference, selectDifferences } from '../../src/store/audit/audit.js';
import { MONEY_CHECKS } from '../../src/store/audit/billing.js';
import type { Database } from '../../src/store/database.js';

/** @returns what `castellan audit` says of the books, and of nothing else. */
export const auditMoney = async (db: Database): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const check of Object.keys(MONEY_CHECKS)) differences.push(...(await selectDifferences(db, check)));
  return differences;
};
