import Type from 'typebox';
import { StorageUsageResponse } from '../../schema/account/storage.js';
import { FidOrZero } from '../../schema/fid.js';
import { operation } from '../http/operation.js';
import { viewUsage } from './view-storage.js';

export const lookupUserStorageUsage = operation({
  id: 'lookup-user-storage-usage',
  path: '/v2/social/storage/usage/',
  tags: ['Storage'],
  title: "Get a user's storage use",
  summary: "Read how much of a user's storage is used.",
  // Counts all messages of an account.
  cost: { fixed: 20 },
  query: Type.Object({ fid: FidOrZero }),
  parameters: { fid: { description: 'The account whose storage is read.', example: 1 } },
  response: StorageUsageResponse,
  handle: ({ query: { fid } }, services) => viewUsage(services, fid),
});
