import type { Page } from '../hydrate/page.js';
import { toIso } from '../protocol/time.js';
import { viewEthAddress, viewSolAddress } from './address.js';
import { viewItems } from './items.js';
import { toBytes } from './json.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/** A verified address: bytes as hex without 0x, `protocol` 0 Ethereum or 1 Solana, `ts` protocol seconds. */
interface VerifiedAddress {
  readonly protocol: number;
  readonly address: string;
  readonly ts: number;
  /** Null if unknown. */
  readonly appFid: number | null;
}

const viewVerification = ({ protocol, address, ts, appFid }: VerifiedAddress, page: Page): string => {
  const [text, name] = protocol === 0 ? [viewEthAddress(address), 'evm'] : [viewSolAddress(address), 'solana'];
  const app = appFid === null ? '' : `,"app":${viewUserDehydrated(appFid, page)}`;
  return `{"object":"verification","address":"${text}","protocol":"${name}","verified_at":"${toIso(ts)}"${app}}`;
};

const nameOf = ({ address }: VerifiedAddress): string => `verification of 0x${address}`;

/** @returns `VerificationsResponse` */
export const viewVerifications = (rows: readonly VerifiedAddress[], page: Page): Buffer =>
  toBytes(
    '{"verifications":[',
    viewItems(rows, page, nameOf, (row) => viewVerification(row, page)),
    ']}',
  );
