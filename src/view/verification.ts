import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { type Verification, VerificationsResponse } from '../schema/verification.js';
import { viewEthAddress, viewSolAddress } from './address.js';
import { Rendered } from './rendered.js';
import { serializer } from './serializer.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const serialize = serializer(VerificationsResponse);

/** A verified address: bytes as hex without 0x, `protocol` 0 Ethereum or 1 Solana, `ts` protocol seconds. */
interface VerifiedAddress {
  readonly protocol: number;
  readonly address: string;
  readonly ts: number;
  /** Null: not known. */
  readonly app_fid: number | null;
}

const viewVerification = ({ protocol, address, ts, app_fid }: VerifiedAddress, page: Hydration): Verification => ({
  object: 'verification',
  address: protocol === 0 ? viewEthAddress(address) : viewSolAddress(address),
  protocol: protocol === 0 ? 'evm' : 'solana',
  verified_at: toIso(ts),
  ...(app_fid === null ? {} : { app: viewUserDehydrated(app_fid, page.accounts.get(app_fid)) }),
});

/** @returns `VerificationsResponse` */
export const viewVerifications = (rows: readonly VerifiedAddress[], page: Hydration): Rendered =>
  new Rendered(Buffer.from(serialize({ verifications: rows.map((row) => viewVerification(row, page)) })));
