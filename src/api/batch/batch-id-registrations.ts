import { IdRegisterEventType, OnChainEvent } from '@farcaster/core';
import { BatchIdRegistration } from '../../schema/batch.js';
import { selectBatchIdRegisterEvents } from '../../store/query/batch.js';
import { type BatchEntry, batchOperation, UNREAD } from './batch-operation.js';

/** As the reference server writes them; others are `None`. */
const EVENT_TYPES: ReadonlyMap<number, string> = new Map([
  [IdRegisterEventType.REGISTER, 'Register'],
  [IdRegisterEventType.TRANSFER, 'Transfer'],
  [IdRegisterEventType.CHANGE_RECOVERY, 'ChangeRecovery'],
]);

export const batchIdRegistrations = batchOperation({
  name: 'id-registrations',
  tag: 'Onchain',
  title: 'Read the id events of many accounts',
  what: 'the events of the id registry',
  each: 1,
  entry: BatchIdRegistration,
  select: selectBatchIdRegisterEvents,
  entryOf: ({ body }): BatchEntry<BatchIdRegistration> => {
    if (body === null) return UNREAD;
    const { idRegisterEventBody: event, blockTimestamp } = OnChainEvent.decode(body);
    if (event === undefined) return undefined;
    return { block_timestamp: blockTimestamp, event_type: EVENT_TYPES.get(event.eventType) ?? 'None' };
  },
});
