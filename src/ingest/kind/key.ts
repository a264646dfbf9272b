import { MessageType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { requestFidOf } from '../../protocol/eip712.js';
import { toUnixMs } from '../../protocol/time.js';
import type { SignerKeyRow } from '../../store/protocol/signer-key.js';
import type { BatchChanges } from '../batch-changes.js';
import type { Transition } from '../merge.js';
import { decodedOf, type StoredMessage } from '../stored-message.js';
import { ingestSignerKeys, SIGNER_KEY_TYPE } from './signer-key.js';

const keyRow = ({ before, after }: Transition): SignerKeyRow => {
  const message = (after ?? before) as StoredMessage;
  const body = after === undefined ? undefined : decodedOf(after).data.keyAddBody;
  return {
    fid: message.fid,
    key: message.key,
    key_type: body?.keyType ?? SIGNER_KEY_TYPE,
    active: after?.type === MessageType.KEY_ADD,
    block_number: 0,
    log_index: 0,
    decided_at: new Date(toUnixMs(message.ts)),
    request_fid: body ? requestFidOf(body.metadata) : null,
  };
};

/** Stores keys that messages registered or removed. */
export const ingestKeys = (
  session: Session,
  transitions: readonly Transition[],
  changes: BatchChanges,
): Promise<void> => ingestSignerKeys(session, transitions.map(keyRow), changes);
