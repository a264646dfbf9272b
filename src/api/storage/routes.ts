import type { Operation } from '../http/operation.js';
import { buyStorage } from './buy-storage.js';
import { lookupUserStorageAllocations } from './lookup-user-storage-allocations.js';
import { lookupUserStorageUsage } from './lookup-user-storage-usage.js';

export const storageRoutes: readonly Operation[] = [lookupUserStorageAllocations, lookupUserStorageUsage, buyStorage];
