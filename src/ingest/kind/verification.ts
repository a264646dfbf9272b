import { MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import {
  AddressRole,
  deleteAddressOwners,
  deleteVerifications,
  insertAddressOwners,
  insertVerifications,
  type VerificationRow,
} from '../../store/protocol/verification.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import type { StoredMessage } from '../stored-message.js';

const verificationRow = (held: StoredMessage | undefined): VerificationRow[] =>
  held?.type === MessageType.VERIFICATION_ADD_ETH_ADDRESS
    ? [{ fid: held.fid, protocol: held.subtype, address: held.key, ts: held.ts, hash: held.hash }]
    : [];

const owner = ({ address, fid, ts }: VerificationRow) => ({ address, role: AddressRole.verified, fid, ts });

/** Stores added and removed verified addresses, and the index from address to account. */
export const ingestVerifications = async (
  session: Session,
  transitions: readonly Transition[],
  changes: BatchChanges,
) => {
  const gone = transitions.flatMap(({ before }) => verificationRow(before));
  const come = transitions.flatMap(({ after }) => verificationRow(after));
  await deleteVerifications(session, gone);
  await deleteAddressOwners(session, gone.map(owner));
  await insertVerifications(session, come);
  await insertAddressOwners(session, come.map(owner));
  const fids = [...new Set([...gone, ...come].map((row) => row.fid))];
  changes.invalidateProfiles(fids);
  changes.addAddressChanges(fids);
};
