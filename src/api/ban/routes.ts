import type { Operation } from '../http/operation.js';
import { deleteBansOperation } from './delete-bans.js';
import { fetchBanList } from './fetch-ban-list.js';
import { publishBans } from './publish-bans.js';

export const banRoutes: readonly Operation[] = [publishBans, deleteBansOperation, fetchBanList];
