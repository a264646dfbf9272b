import { MessageType } from '@farcaster/core';
import { requestFidOf } from '../protocol/eip712.js';
import { toUnixMs } from '../protocol/time.js';
import type { Session } from '../store/database.js';
import { signersOf } from '../store/list-source.js';
import { type SignerKeyRow, upsertSignerKeys } from '../store/signer-key.js';
import type { Effect } from './effect.js';
import { decodedOf, type Held } from './held.js';
import type { Transition } from './merge.js';
import { SIGNER_KEY_TYPE } from './onchain-event.js';

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
export const ingestKeys = async (session: Session, transitions: readonly Transition[], effect: Effect) => {
  const changed = await upsertSignerKeys(session, transitions.map(keyRow));
  const holders = changed.map((row) => row.fid);
  effect.touchFids(holders);
  effect.addAddressChanges(holders);
  effect.touchLists(...holders.map(signersOf));
  return changed.filter((row) => !row.active).map(({ fid, key }) => ({ fid, signer: key }));
};
