import Type from 'typebox';
import { StorageUsageResponse } from '../../schema/account/storage.js';
import { FidOrZero } from '../../schema/fid.js';
import { operation } from '../http/operation.js';
import { viewUsage } from './view-storage.js';

export const lookupUserStorageUsage = operation({
  id: 'lookup-user-storage-usage',
  path: '/v2/social/storage/usage/',
  tags: ['Storage'],
  summary: "Read how much of a user's storage is used.",
  query: Type.Object({ fid: FidOrZero }),
  response: StorageUsageResponse,
  handle: ({ query: { fid } }, services) => viewUsage(services, fid),
});
