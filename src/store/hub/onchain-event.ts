import { OnChainEventType } from '@farcaster/core';
import { readQuery } from '../query-function.js';

/** @returns the protobuf `OnChainEvent`s of one type of an account, in chain order */
export const selectOnchainEventsByType = readQuery(
  'hub_onchain_event_by_type',
  'select body from onchain_event where fid = :fid and type = :type order by block_number, log_index',
).column('body', (fid: number, type: number) => ({ fid, type }));

/**
 * @param key Ed25519 public key
 * @returns the events that added an active signer. A key registered by a protocol message has no event.
 */
export const selectActiveSignerEvents = readQuery(
  'hub_active_signer',
  `select o.body from signer_key s
     join onchain_event o on o.fid = s.fid and o.type = ${OnChainEventType.EVENT_TYPE_SIGNER}
      and o.block_number = s.block_number and o.log_index = s.log_index
    where s.fid = :fid and s.active and s.key_type = 1 and s.key = :key
    order by o.block_number, o.log_index`,
).column('body', (fid: number, key: Uint8Array) => ({ fid, key }));

/** @returns the id registry events of the account whose custody address this is now, latest first */
export const selectIdRegisterEventsByCustody = readQuery(
  'hub_id_register_event_by_custody',
  `select o.body from address_owner a
     join onchain_event o on o.fid = a.fid and o.type = ${OnChainEventType.EVENT_TYPE_ID_REGISTER}
    where a.address = :address and a.role = 0
    order by o.block_number desc, o.log_index desc`,
).column('body', (address: Uint8Array) => ({ address }));
