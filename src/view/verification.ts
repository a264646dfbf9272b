import type { Hydration } from '../hydrate/hydrate.js';
import { toIso } from '../protocol/time.js';
import { Verification } from '../schema/verification.js';
import { viewEthAddress, viewSolAddress } from './address.js';
import { writeItems } from './items.js';
import { JsonWriter } from './json-writer.js';
import { Rendered } from './rendered.js';
import { serializer } from './serializer.js';
import { viewUserDehydrated } from './user-dehydrated.js';

const serialize = serializer(Verification);

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

const nameOf = ({ address }: VerifiedAddress): string => `verification of 0x${address}`;

/** @returns `VerificationsResponse` */
export const viewVerifications = (rows: readonly VerifiedAddress[], page: Hydration): Rendered => {
  const json = new JsonWriter();
  json.text('{"verifications":[');
  writeItems(json, rows, page, nameOf, (row) => {
    json.text(serialize(viewVerification(row, page)));
    return true;
  });
  json.text(']}');
  return new Rendered(json.finish());
};
