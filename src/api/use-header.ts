import type { FastifyReply } from 'fastify';
import type { Standing } from '../billing/meter.js';

/** From this part of the plan's compute units on, every answer warns. */
const WARN_FROM = 0.8;

/** Warns on an answer that the plan's compute units are nearly used up: how many are used, of how many, until which day. */
export const tellUse = (reply: FastifyReply, standing: Standing | undefined): void => {
  if (standing === undefined) return;
  const { used, limit } = standing;
  if (limit === null || used < limit * WARN_FROM) return;
  tellStanding(reply, standing);
};

/** Tells it however little is used: a call that costs much is refused before the rest is little. */
export const tellStanding = (reply: FastifyReply, { used, limit, resetsAt }: Standing): void => {
  reply
    .header('x-compute-units-used', String(used))
    .header('x-compute-units-limit', String(limit))
    .header('x-compute-units-reset', resetsAt.toISOString().slice(0, 10));
};
