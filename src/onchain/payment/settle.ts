import type { Database } from '../../db/database.js';
import { claimPayCheck, type PayFrameRow } from '../../store/onchain/pay-frame.js';
import {
  deleteOldPayReports,
  deletePayReport,
  selectPayReports,
  upsertPayReport,
} from '../../store/onchain/pay-report.js';
import type { Network, Networks } from '../network.js';
import { checkPayment, type PaymentResult } from './check.js';

interface Dependencies {
  readonly db: Database;
  readonly networks: Networks;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** Reported transactions of a page that wait for the chain. Anybody who has the address of a page can report some. */
const MAX_REPORTS = 10;
const REPORT_AGE_MS = 24 * 60 * 60 * 1000;
/** Between two looks at the chain for one page, whoever asks. */
const CHECK_INTERVAL_MS = 2000;

/** A page with its terms for payers. */
export interface Payable {
  readonly frame: PayFrameRow;
  /** Accounts that may pay; undefined: anybody may. */
  readonly allowedFids: readonly number[] | undefined;
}

const check = async (
  { db, networks, clock }: Dependencies,
  { frame, allowedFids }: Payable,
  hash: Uint8Array,
): Promise<PaymentResult> => {
  const client = networks.client(frame.network as Network);
  const result = await checkPayment({ db, client, clock }, frame, hash, allowedFids);
  if (result.state !== 'open') await deletePayReport(db, frame.id, hash);
  return result;
};

/**
 * Checks the open reports of a page, at most every two seconds.
 * @returns whether the page is paid
 * @throws AppError internal if the chain does not answer, invalid if its network is not configured any more
 */
export const settlePayment = async (dependencies: Dependencies, payable: Payable): Promise<boolean> => {
  const { db, clock } = dependencies;
  const { frame } = payable;
  if (frame.isCompleted) return true;
  const hashes = await selectPayReports(db, frame.id);
  if (hashes.length === 0) return false;
  const now = clock();
  if (!(await claimPayCheck(db, frame.id, new Date(now), new Date(now - CHECK_INTERVAL_MS)))) return false;
  await deleteOldPayReports(db, frame.id, new Date(now - REPORT_AGE_MS), MAX_REPORTS);
  const results = await Promise.all(hashes.map((hash) => check(dependencies, payable, hash)));
  return results.some(({ state }) => state === 'completed');
};

/**
 * Stores that a transaction is said to pay a page, and checks it. Nothing but the chain decides whether it does.
 * @param hash 32 bytes
 * @throws as `settlePayment`
 */
export const reportPayment = async (
  dependencies: Dependencies,
  payable: Payable,
  hash: Uint8Array,
): Promise<PaymentResult> => {
  const { db, clock } = dependencies;
  const { frame } = payable;
  if (frame.isCompleted) return { state: 'completed' };
  const now = clock();
  await upsertPayReport(db, frame.id, hash, new Date(now));
  await deleteOldPayReports(db, frame.id, new Date(now - REPORT_AGE_MS), MAX_REPORTS);
  return check(dependencies, payable, hash);
};
