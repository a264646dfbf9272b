import { stateOf } from '../../signer/standing.js';
import type { KeyStandingRow } from '../../store/access/signed-key-request.js';
import { approvalUrl } from './approval-url.js';

interface ViewedStanding {
  /** `generated` is the state of a key of which nothing is known here. */
  readonly status: ReturnType<typeof stateOf>;
  readonly fid: { readonly fid?: number };
  /** Only while approval is awaited. */
  readonly approvalUrl: string | undefined;
}

/** @returns what the wire shows of a key that the app itself keeps. */
export const viewKeyStanding = (row: KeyStandingRow, publicUrl: string, now: number): ViewedStanding => {
  const status = stateOf(row, now);
  const isAwaited = status === 'pending_approval' && row.token !== null;
  return {
    status,
    fid: row.fid === null ? {} : { fid: row.fid },
    approvalUrl: isAwaited ? approvalUrl(publicUrl, row.token) : undefined,
  };
};
