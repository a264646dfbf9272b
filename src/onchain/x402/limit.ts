import type { Session } from '../../db/statement.js';
import { DAY_MS } from '../../duration.js';
import { AppError } from '../../error.js';
import { fromHex } from '../../hex.js';
import { selectX402Sum } from '../../store/onchain/x402-authorization.js';
import type { UsableWallet } from '../transaction/wallet.js';
import { type Candidate, walletAssetOf } from './candidate.js';

const refusal = (code: string, message: string): AppError =>
  new AppError('invalid', code, message, { property: 'payment_requirements' });

/**
 * Compares a payment with what the wallet has signed for already. Authorizations that may still be collected count
 * against the balance, and those of the last 24 hours against the operator's limit, whether they were collected or not.
 * @param session a transaction in which the wallet is locked
 * @param now Unix milliseconds
 * @returns why the payment is not signed; undefined if it may be
 */
export const findLimit = async (
  session: Session,
  wallet: UsableWallet,
  { offer: { asset, value }, state }: Candidate,
  now: number,
): Promise<AppError | undefined> => {
  const { total, open } = await selectX402Sum(session, walletAssetOf(wallet, asset), {
    now: Math.floor(now / 1000),
    since: new Date(now - DAY_MS),
    spent: (state?.spent ?? []).map(fromHex),
  });
  const token = `the smallest unit of ${asset.address} on ${asset.network}`;
  if (total + value > asset.maxPerDay) {
    const message = `The wallet has signed for ${total} of ${token} within 24 hours; ${value} more would exceed the operator's limit of ${asset.maxPerDay}.`;
    return refusal('DailyLimitReached', message);
  }
  if (state?.balance !== undefined && open + value > state.balance) {
    const message = `The wallet ${wallet.address} has ${state.balance} of ${token}. Payments that may still be collected take ${open}, and this one needs ${value}.`;
    return refusal('InsufficientFunds', message);
  }
  return undefined;
};
