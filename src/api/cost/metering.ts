import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Meter } from '../../billing/meter.js';
import { UnitsUsedUp } from '../../billing/quota.js';
import type { AppError } from '../../error.js';
import { type Cost, createPrice } from './cost.js';
import { statusOf, toAppError } from '../http/error.js';
import type { Operation } from '../operation.js';
import { tellStanding, tellUse } from '../use-header.js';

/** Says on every answer to a call with a key what the call cost. */
export const COMPUTE_UNITS = 'x-compute-units';

/** The most that a call costs which is refused after its work began: as much as the cheapest write. */
export const REFUSAL_UNITS = 10;

/** @returns the units of a call that ends with this error; null: it failed here, so it costs nothing and is not counted */
const unitsOfError = (units: number, error: AppError): number | null => {
  if (error.isCharged) return units;
  return statusOf(error) >= 500 ? null : Math.min(units, REFUSAL_UNITS);
};

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Puts the meter around the work of an operation: valid requests of a known caller come here, everything that is
 * refused before costs nothing. A call is counted when its work is done, not when its answer is read: who hangs up
 * has still been served.
 * @throws Error at once for a cost that does not fit the operation.
 */
export const createMetered = (operation: Operation, cost: Cost, meter: Meter, work: Handler): Handler => {
  const priceOf = createPrice(operation, cost);
  return async (request, reply) => {
    const { caller } = request;
    if (caller === null) throw new Error(`${operation.id} takes no key: there is nobody to count its calls for`);
    const call: Call = {
      organizationId: caller.organizationId,
      keyId: caller.keyId,
      planId: caller.planId,
      operation: operation.id,
      units: priceOf(request.query, request.body),
    };
    try {
      const begun = meter.begin(call);
      tellUse(reply, begun instanceof Promise ? await begun : begun);
    } catch (error) {
      if (error instanceof UnitsUsedUp) tellStanding(reply, error.standing);
      throw error;
    }
    reply.header(COMPUTE_UNITS, String(call.units));
    let units: number | null = null;
    try {
      const sent = await work(request, reply);
      if (reply.statusCode < 500) units = call.units;
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

/** An error answer costs nothing unless its operation's work began. */
export const tellNothingCost = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.routeOptions.config.operation?.scope === 'public' || reply.hasHeader(COMPUTE_UNITS)) return;
  reply.header(COMPUTE_UNITS, '0');
};
