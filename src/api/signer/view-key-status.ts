import { stateOf } from '../../signer/key-state.js';
import type { KeyStatusRow } from '../../store/access/signed-key-request.js';
import { approvalUrl } from './approval-url.js';

interface KeyStatusView {
  /** `generated` is the state of an unknown key. */
  readonly status: ReturnType<typeof stateOf>;
  readonly fid: { readonly fid?: number };
  /** Present only while approval is pending. */
  readonly approvalUrl: string | undefined;
}

/** @returns the status of a key that the app itself manages */
export const viewKeyStatus = (row: KeyStatusRow, publicUrl: string, now: number): KeyStatusView => {
  const status = stateOf(row, now);
  const isAwaited = status === 'pending_approval' && row.token !== null;
  return {
    status,
    fid: row.fid === null ? {} : { fid: row.fid },
    approvalUrl: isAwaited ? approvalUrl(publicUrl, row.token) : undefined,
  };
};
