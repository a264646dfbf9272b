import type { Operation } from '../http/operation.js';
import { deleteBlock } from './delete-block.js';
import { fetchBlockList } from './fetch-block-list.js';
import { publishBlock } from './publish-block.js';

export const blockRoutes: readonly Operation[] = [publishBlock, deleteBlock, fetchBlockList];
