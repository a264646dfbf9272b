import type { Operation } from '../operation.js';
import { deleteBansOperation } from './delete-bans.js';
import { fetchBanList } from './fetch-ban-list.js';
import { publishBans } from './publish-bans.js';

export const banRoom: readonly Operation[] = [publishBans, deleteBansOperation, fetchBanList];
