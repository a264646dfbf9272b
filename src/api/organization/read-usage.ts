import Type, { type Static } from 'typebox';
import { utcDay } from '../../billing/plan/period.js';
import { renewIfDue } from '../../billing/plan/renewal.js';
import { DAY_MS } from '../../duration.js';
import { invalidField } from '../../error.js';
import type { UsageResponse } from '../../schema/portal/usage.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectSubscription } from '../../store/billing/subscription.js';
import { selectUsage, type UsageSum } from '../../store/billing/usage-read.js';
import { commaSeparated } from '../http/comma-separated.js';
import type { Services } from '../http/service.js';
import { unitLimit } from '../subscription/dollar.js';

const MAX_DAYS = 92;
const MAX_ROWS = 10_000;

const GROUPS = ['day', 'operation', 'key'] as const;
type Group = (typeof GROUPS)[number];

/** @throws AppError 'invalid' for a day that does not exist */
const readDay = (property: 'from' | 'to', day: string): string => {
  const time = new Date(`${day}T00:00:00Z`);
  // PostgreSQL dates have no year 0.
  if (Number.isNaN(time.getTime()) || utcDay(time) !== day || time.getUTCFullYear() < 1) {
    throw invalidField(property, `${property} must be a day of the calendar like 2026-11-20; there is no ${day}`);
  }
  return day;
};

/**
 * @returns the requested days, inclusive. Default: from the first day of the current period, but at most MAX_DAYS,
 *   until today
 * @throws AppError 'invalid' for days that do not exist, in the wrong order, or too many
 */
const readDays = (
  requested: { readonly from?: string; readonly to?: string },
  periodStart: Date,
  now: Date,
): { readonly from: string; readonly to: string } => {
  const to = requested.to === undefined ? utcDay(now) : readDay('to', requested.to);
  const last = Date.parse(to);
  // Without a first day, a period that is too long is shortened rather than rejected.
  const first = new Date(Math.min(Math.max(periodStart.getTime(), last - (MAX_DAYS - 1) * DAY_MS), last));
  const from = requested.from === undefined ? utcDay(first) : readDay('from', requested.from);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw invalidField('from', `from must not be after to: ${from} is after ${to}`);
  if (days > MAX_DAYS) {
    throw invalidField('from', `from and to may be ${MAX_DAYS} days apart at most: ${from} to ${to} are ${days} days`);
  }
  return { from, to };
};

const viewSum = ({ day, operation: id, keyId, keyName, calls, units }: UsageSum): UsageResponse['usage'][number] => ({
  ...(day !== null && { day }),
  ...(id !== null && { operation: id }),
  ...(keyId !== null && { keyId }),
  ...(keyName !== null && { keyName }),
  calls,
  computeUnits: units,
});

/** Query members that choose days and groups. */
export const usageQuery = {
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: `UTC, inclusive. Unless given: the first day of the running period, or the day ${MAX_DAYS - 1} days before \`to\` if that is later; never a day after \`to\`.`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description: `UTC, inclusive; today unless given. \`from\` to \`to\` are ${MAX_DAYS} days at most.`,
    }),
  ),
  group: Type.Optional(
    commaSeparated(stringEnum(GROUPS), {
      maxItems: GROUPS.length,
      description: 'What is told apart: day, operation, key; all of them unless given.',
    }),
  ),
};
const UsageQuery = Type.Object(usageQuery);

/** @returns the use of an organization. @throws AppError 'invalid' for days that do not exist, or too many rows */
export const readUsage = async (
  { db, plans, money, clock }: Pick<Services, 'db' | 'plans' | 'money' | 'clock'>,
  organizationId: string,
  query: Static<typeof UsageQuery>,
): Promise<UsageResponse> => {
  const now = new Date(clock());
  await renewIfDue(money, organizationId, now);
  const subscription = await selectSubscription(db, organizationId);
  if (subscription === undefined) throw new Error(`organization ${organizationId} has no subscription`);
  const { planId, periodStart, periodEnd, usedUnits } = subscription;
  const days = readDays(query, periodStart, now);
  const by = new Set<Group>(query.group ?? GROUPS);
  const sums = await selectUsage(db, {
    ...days,
    organizationId,
    by: { day: by.has('day'), operation: by.has('operation'), key: by.has('key') },
    limit: MAX_ROWS + 1,
  });
  if (sums.length > MAX_ROWS) {
    const message = `there are more than ${MAX_ROWS} rows: ask for fewer days, or tell less apart with group`;
    throw invalidField('group', message);
  }
  const plan = plans.byId(planId);
  return {
    plan: plan.name,
    period: { start: periodStart.toISOString(), end: periodEnd.toISOString() },
    computeUnitsLimit: unitLimit(plan.units),
    computeUnitsUsed: usedUnits,
    ...days,
    total: {
      calls: sums.reduce((sum, { calls }) => sum + calls, 0),
      computeUnits: sums.reduce((sum, { units }) => sum + units, 0),
    },
    usage: sums.map(viewSum),
  };
};
