import Type from 'typebox';
import { StorageAllocationsResponse } from '../../schema/account/storage.js';
import { FidOrZero } from '../../schema/fid.js';
import { operation } from '../http/operation.js';
import { viewAllocations } from './view-storage.js';

export const lookupUserStorageAllocations = operation({
  id: 'lookup-user-storage-allocations',
  path: '/v2/social/storage/allocations/',
  tags: ['Storage'],
  title: "List a user's rented storage",
  summary: 'List the storage that was rented for a user, newest first, also what expired.',
  cost: { fixed: 2 },
  query: Type.Object({ fid: FidOrZero }),
  parameters: { fid: { description: 'The account whose storage is listed.', example: 1 } },
  response: StorageAllocationsResponse,
  handle: ({ query: { fid } }, services) => viewAllocations(services, fid),
});
