import type { Database } from '../../db/database.js';
import { withoutQuery } from '../../delivery/without-query.js';
import { selectUndispatchedSince, selectWebhookBacklogs, type WebhookBacklog } from '../../store/event/backlog.js';
import { minute } from '../terminal/format.js';
import { type Finding, ok, warn, whereStored } from './finding.js';

/** A running service hands events on within a second. */
const UNDISPATCHED_MS = 60_000;
/** A receiver that restarts is back by then. */
const FAILING_MS = 3_600_000;
/** Number of webhooks that are listed; the others are counted. */
const MAX_PRINTED = 10;

const LOG_CHECK = 'event log';
const CHECK = 'webhooks';

const diagnoseLog = (undispatched: Date | undefined, now: number): Finding => {
  if (undispatched === undefined || now - undispatched.getTime() <= UNDISPATCHED_MS) {
    return ok(LOG_CHECK, 'is handed to webhooks as it grows');
  }
  const text = `events wait since ${minute(undispatched)} to be handed to webhooks`;
  const advice =
    'A running service does it: start one with `castellan serve`, or look for "events could not be handed to webhooks" in its log.';
  return warn(LOG_CHECK, text, advice);
};

/** @returns what is wrong with a webhook, and what to do; undefined if nothing is */
const diagnoseOne = (webhook: WebhookBacklog, now: number): Finding | undefined => {
  const { id, active, inactiveReason, failingSince, dead, waiting } = webhook;
  const name = `${id} (${withoutQuery(webhook.targetUrl)})`;
  const found = (problem: string, advice: string): Finding => warn(CHECK, `${name}: ${problem}`, `${id}: ${advice}`);
  const test = `\`castellan webhook test ${id}\` shows what the receiver answers`;
  const replay = `\`castellan webhook replay ${id} --failed\` sends again what was given up`;
  if (!active && inactiveReason !== null) {
    const then = dead === 0 ? '' : `; then ${replay}`;
    return found(
      `${inactiveReason} Events given up: ${dead}`,
      `${test}. Its owner switches it on with PATCH /v2/social/webhook/${then}.`,
    );
  }
  if (active && failingSince !== null && now - failingSince.getTime() > FAILING_MS) {
    return found(`fails since ${minute(failingSince)}; events waiting: ${waiting}, given up: ${dead}`, `${test}.`);
  }
  if (dead === 0) return undefined;
  const on = active ? '' : 'switch it on with PATCH /v2/social/webhook/, then ';
  return found(`events given up: ${dead}`, `${on}${replay}.`);
};

/**
 * Reports events that wait for the dispatcher, and webhooks that fail, were switched off or have given events up.
 * @param now Unix milliseconds
 */
export const diagnoseWebhooks = (open: () => Promise<Database>, now: number): Promise<Finding[]> =>
  whereStored(open, async (db) => {
    const log = diagnoseLog(await selectUndispatchedSince(db), now);
    const webhooks = await selectWebhookBacklogs(db, undefined);
    if (webhooks.length === 0) return [log, ok(CHECK, 'there are none')];
    const faulty = webhooks.flatMap((one) => diagnoseOne(one, now) ?? []);
    if (faulty.length === 0) {
      const on = webhooks.filter(({ active }) => active).length;
      const waiting = webhooks.reduce((sum, one) => sum + one.waiting, 0);
      const text = `${on} of ${webhooks.length} are on; events waiting: ${waiting}, given up: 0`;
      return [log, ok(CHECK, text)];
    }
    const more = faulty.length - MAX_PRINTED;
    const findings = [log, ...faulty.slice(0, MAX_PRINTED)];
    if (more > 0) findings.push({ check: CHECK, result: 'warn', text: `${more} more have such problems` });
    return findings;
  });
