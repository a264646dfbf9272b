import type { FastifyReply, FastifyRequest } from 'fastify';
import { KEYLESS_CALLER } from '../../access/caller.js';
import { utcDay } from '../../billing/plan/period.js';
import type { Call, Meter, Usage } from '../../billing/usage/meter.js';
import { QuotaExceededError } from '../../billing/usage/quota.js';
import type { AppError } from '../../error.js';
import { statusOf, toAppError } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import { createPrice } from './cost.js';

/** Response header with the cost of a call. */
export const COMPUTE_UNITS = 'x-compute-units';

/** Maximum cost of a call that is rejected after its work began: that of the cheapest write. */
export const REJECTED_CALL_UNITS = 10;

/** Status of a response that the client has already: such calls are counted, with 0 units. */
const NOT_MODIFIED = 304;

/** Sets the headers at any usage: an expensive call may be rejected long before the units are used up. */
const setUsageHeaders = (reply: FastifyReply, { used, limit, resetsAt }: Usage): void => {
  reply
    .header('x-compute-units-used', String(used))
    .header('x-compute-units-limit', String(limit))
    .header('x-compute-units-reset', utcDay(resetsAt));
};

/** Share of the plan's compute units above which responses have a warning. */
const WARNING_SHARE = 0.8;

/** Sets the usage headers when the plan's compute units are nearly used up. */
const setUsageWarningHeader = (reply: FastifyReply, usage: Usage | undefined): void => {
  if (usage === undefined) return;
  const { used, limit } = usage;
  if (limit === null || used < limit * WARNING_SHARE) return;
  setUsageHeaders(reply, usage);
};

/** @returns the cost of a call that ends with this error; null: the service failed, so the call is not counted */
export const unitsOfError = (units: number, error: AppError): number | null => {
  if (error.isCharged) return units;
  return statusOf(error) >= 500 ? null : Math.min(units, REJECTED_CALL_UNITS);
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Wraps the handler of an operation so that its calls are metered. Requests that are rejected before the handler cost
 * nothing. A call is counted when its work is done, even if the client has disconnected.
 * @throws Error for a cost that does not match the operation's schemas
 */
export const createMetered = (operation: Operation, meter: Meter, work: Handler): Handler => {
  const priceOf = createPrice(operation);
  return async (request, reply) => {
    const { caller } = request;
    if (caller === null) throw new Error(`${operation.id} takes no key: there is nobody to count its calls for`);
    // Nobody pays for it; it is limited by address instead.
    if (caller === KEYLESS_CALLER) return work(request, reply);
    const call: Call = {
      organizationId: caller.organizationId,
      keyId: caller.keyId,
      planId: caller.planId,
      operation: operation.id,
      units: priceOf(request.query, request.body),
    };
    try {
      const begun = meter.begin(call);
      setUsageWarningHeader(reply, begun instanceof Promise ? await begun : begun);
    } catch (error) {
      if (error instanceof QuotaExceededError) setUsageHeaders(reply, error.usage);
      throw error;
    }
    reply.header(COMPUTE_UNITS, String(call.units));
    let units: number | null = null;
    try {
      const sent = await work(request, reply);
      if (reply.statusCode < 500) units = reply.statusCode === NOT_MODIFIED ? 0 : call.units;
      return sent;
    } catch (error) {
      units = unitsOfError(call.units, toAppError(error));
      reply.header(COMPUTE_UNITS, String(units ?? 0));
      throw error;
    } finally {
      meter.end(call, units);
    }
  };
};

/** For a response that turns out to cost nothing; call it before sending. */
export const setZeroCost = (reply: FastifyReply): void => {
  reply.header(COMPUTE_UNITS, '0');
};

/** Responses to requests that never reached the handler cost nothing. */
export const setZeroCostHeader = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.routeOptions.config.operation?.scope === 'public' || reply.hasHeader(COMPUTE_UNITS)) return;
  setZeroCost(reply);
};
