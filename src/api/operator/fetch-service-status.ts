import { backlogAge } from '../../event/webhook/backlog-age.js';
import { ServiceStatusResponse } from '../../schema/operator/service.js';
import { selectEventBacklog } from '../../store/event/backlog.js';
import { selectRefusedItemCount } from '../../store/protocol/refused-item.js';
import { selectDatabaseBytes, selectJobRuns, selectTableSizes } from '../../store/service-status.js';
import { VERSION } from '../../version.js';
import { operation } from '../http/operation.js';

const MAX_TABLES = 20;

export const fetchServiceStatus = operation({
  id: 'fetch-service-status',
  path: '/operator/status',
  tags: ['operator'],
  title: 'Get the status of the service',
  summary: 'Read the size of the database, the last run of each job, and what waits or was refused.',
  cost: { fixed: 0 },
  scope: 'operator',
  response: ServiceStatusResponse,
  errors: [403],
  handle: async (_request, { db, clock }) => {
    const [bytes, tables, jobs, refused, backlog] = await Promise.all([
      selectDatabaseBytes(db),
      selectTableSizes(db, MAX_TABLES),
      selectJobRuns(db),
      selectRefusedItemCount(db),
      selectEventBacklog(db),
    ]);
    return {
      version: VERSION,
      database_bytes: bytes,
      tables,
      jobs: jobs.map(({ name, beganAt, isRunning }) => ({
        name,
        began_at: beganAt.toISOString(),
        is_running: isRunning,
      })),
      refused_items: refused,
      webhook_deliveries: { waiting: backlog.waiting, oldest_seconds: backlogAge(backlog, clock()) },
    };
  },
});
