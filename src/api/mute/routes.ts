import type { Operation } from '../http/operation.js';
import { deleteMuteOperation } from './delete-mute.js';
import { fetchMuteList } from './fetch-mute-list.js';
import { publishMute } from './publish-mute.js';

export const muteRoutes: readonly Operation[] = [publishMute, deleteMuteOperation, fetchMuteList];
