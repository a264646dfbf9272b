import type { Database } from '../../db/database.js';
import { selectOpenTransactions } from '../../store/onchain/transaction.js';
import { minute } from '../terminal/format.js';
import { type Finding, ok, warn, whereStored } from './finding.js';

/** By then the service has raised the fee several times. */
const STUCK_MS = 5 * 60_000;
/** Number of transactions that are listed; the others are counted. */
const MAX_PRINTED = 10;

const CHECK = 'transactions';

const ADVICE: Readonly<Record<string, string>> = {
  InsufficientFunds: 'send the wallet more coin of that network',
  Unanswered: 'look at the endpoints of that network',
};

/**
 * Reports pending transactions, and those that are pending for too long.
 * @param now Unix milliseconds
 */
export const diagnoseTransactions = (open: () => Promise<Database>, now: number): Promise<Finding[]> =>
  whereStored(open, async (db) => {
    const rows = await selectOpenTransactions(db);
    if (rows.length === 0) return [ok(CHECK, 'none is on its way')];
    const stuck = rows.filter(({ createdAt }) => now - createdAt.getTime() > STUCK_MS);
    if (stuck.length === 0) return [ok(CHECK, `${rows.length} are on their way`)];
    const findings = stuck
      .slice(0, MAX_PRINTED)
      .map(({ id, walletId, network, nonce, purpose, createdAt, ...row }): Finding => {
        const said = row.failure === null ? '' : `; the network said: ${row.failure}`;
        const text = `${purpose} ${id} of wallet ${walletId} on ${network} (nonce ${nonce}) waits since ${minute(createdAt)}${said}`;
        const what = ADVICE[row.failureCode ?? ''] ?? 'a running service offers it for more until it is mined';
        return warn(CHECK, text, `${id}: ${what}.`);
      });
    const more = stuck.length - findings.length;
    if (more > 0) findings.push({ check: CHECK, result: 'warn', text: `${more} more wait as long` });
    return findings;
  });
