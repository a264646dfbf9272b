import { OnChainEvent } from '@farcaster/core';
import { BatchSigner } from '../../schema/batch.js';
import { selectBatchSignerEvents } from '../../store/query/batch.js';
import { type BatchEntry, batchOperation, UNREAD } from './batch-operation.js';

export const batchSigners = batchOperation({
  name: 'signers',
  tag: 'Signer',
  title: 'Read the key events of many accounts',
  what: 'what the events of the key registry say of their keys (who requested them)',
  each: 5,
  entry: BatchSigner,
  select: selectBatchSignerEvents,
  entryOf: ({ body }): BatchEntry<BatchSigner> => {
    if (body === null) return UNREAD;
    const { signerEventBody: event } = OnChainEvent.decode(body);
    if (event === undefined) return undefined;
    return { metadata: Buffer.from(event.metadata).toString('base64'), metadata_type: event.metadataType };
  },
});
