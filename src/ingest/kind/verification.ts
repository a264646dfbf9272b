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

const verificationRow = (message: StoredMessage | undefined): VerificationRow[] =>
  message?.type === MessageType.VERIFICATION_ADD_ETH_ADDRESS
    ? [{ fid: message.fid, protocol: message.subtype, address: message.key, ts: message.ts, hash: message.hash }]
    : [];

const owner = ({ address, fid, ts }: VerificationRow) => ({ address, role: AddressRole.verified, fid, ts });

/** Stores added and removed verified addresses, and the index from address to account. */
export const ingestVerifications = async (
  session: Session,
  transitions: readonly Transition[],
  changes: BatchChanges,
) => {
  const removed = transitions.flatMap(({ before }) => verificationRow(before));
  const added = transitions.flatMap(({ after }) => verificationRow(after));
  await deleteVerifications(session, removed);
  await deleteAddressOwners(session, removed.map(owner));
  await insertVerifications(session, added);
  await insertAddressOwners(session, added.map(owner));
  const fids = [...new Set([...removed, ...added].map((row) => row.fid))];
  changes.invalidateProfiles(fids);
  changes.addAddressChanges(fids);
};
