import { MessageType } from '@farcaster/core';
import { requestFidOf } from '../../protocol/eip712.js';
import { toUnixMs } from '../../protocol/time.js';
import type { Session } from '../../store/database.js';
import type { SignerKeyRow } from '../../store/signer-key.js';
import type { BatchChanges } from '../batch-changes.js';
import { decodedOf, type Held } from '../stored-message.js';
import type { Transition } from '../merge.js';
import { ingestSignerKeys, SIGNER_KEY_TYPE } from './signer-key.js';

const keyRow = ({ before, after }: Transition): SignerKeyRow => {
  const held = (after ?? before) as Held;
  const body = after === undefined ? undefined : decodedOf(after).data.keyAddBody;
  return {
    fid: held.fid,
    key: held.key,
    key_type: body?.keyType ?? SIGNER_KEY_TYPE,
    active: after?.type === MessageType.KEY_ADD,
    block_number: 0,
    log_index: 0,
    decided_at: new Date(toUnixMs(held.ts)),
    request_fid: body ? requestFidOf(body.metadata) : null,
  };
};

/**
 * Keys that messages registered or took back.
 * @returns the keys that may no longer sign: all that they signed goes.
 */
export const ingestKeys = (session: Session, transitions: readonly Transition[], changes: BatchChanges) => {
  return ingestSignerKeys(session, transitions.map(keyRow), changes);
};
