import type { FastifyReply } from 'fastify';
import type { Usage } from '../../billing/usage/meter.js';

/** Share of the plan's compute units above which responses have a warning. */
const WARNING_SHARE = 0.8;

/** Sets the usage headers when the plan's compute units are nearly used up. */
export const setUsageWarningHeader = (reply: FastifyReply, usage: Usage | undefined): void => {
  if (usage === undefined) return;
  const { used, limit } = usage;
  if (limit === null || used < limit * WARNING_SHARE) return;
  setUsageHeaders(reply, usage);
};

/** Sets the headers at any usage: an expensive call may be rejected long before the units are used up. */
export const setUsageHeaders = (reply: FastifyReply, { used, limit, resetsAt }: Usage): void => {
  reply
    .header('x-compute-units-used', String(used))
    .header('x-compute-units-limit', String(limit))
    .header('x-compute-units-reset', resetsAt.toISOString().slice(0, 10));
};
