import type { DeliveryMeter } from '../../delivery/meter.js';
import type { OutboundClient } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';
import { isObject } from '../../is-object.js';
import type { RunningCampaign } from '../../store/miniapp/campaign.js';
import type { DueRecipient, RecipientOutcome } from '../../store/miniapp/campaign-recipient.js';
import { parseJsonObject } from '../json.js';

/** Tokens that a host takes in one call (Mini App specification, "Sending notifications"). */
export const MAX_TOKENS = 100;
/** For one call. */
export const CALL_MS = 10_000;
/** An answer repeats the tokens, and may give a reason for each. */
const MAX_RESPONSE_BYTES = 256 * 1024;
const TOO_MANY_REQUESTS = 429;

type Outcome = Omit<RecipientOutcome, 'fid'>;

const tokensIn = (value: unknown): Set<unknown> => new Set(Array.isArray(value) ? value : []);

/**
 * Reads a host's answer, whose lists are in `result` according to the specification; some hosts send them without it.
 * @returns a function that finds the outcome of a token: `failed` where no list has it, or the answer has no lists
 */
const readHostAnswer = (body: Uint8Array): ((token: string) => Outcome) => {
  const outer = parseJsonObject(body) ?? {};
  const lists = isObject(outer.result) ? outer.result : outer;
  const successful = tokensIn(lists.successfulTokens);
  const invalid = tokensIn(lists.invalidTokens);
  const limited = tokensIn(lists.rateLimitedTokens);
  return (token) => {
    if (successful.has(token)) return { state: 'delivered' };
    if (invalid.has(token)) return { state: 'invalid' };
    return { state: limited.has(token) ? 'rate_limited' : 'failed' };
  };
};

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const outcomeOfError = ({ status, reason }: OutboundError): Outcome => {
  if (status === TOO_MANY_REQUESTS) return { state: 'rate_limited' };
  return { state: 'http_error', reason: status === undefined || isSuccess(status) ? reason : String(status) };
};

/**
 * Sends a notification to tokens of one host at one URL, in one call.
 * @param service `signal` aborts the call
 * @returns an outcome for each recipient: `http_error` with the status, or with the reason why there is none; undefined if
 *   the call was aborted
 */
export const callHost = async (
  service: { readonly outbound: OutboundClient; readonly meter: DeliveryMeter; readonly signal: AbortSignal },
  { id, title, body, targetUrl }: RunningCampaign,
  { url, recipients }: { readonly url: string; readonly recipients: readonly DueRecipient[] },
): Promise<RecipientOutcome[] | undefined> => {
  const { outbound, meter, signal } = service;
  const tokens = [...new Set(recipients.map(({ token }) => token))];
  const call = {
    method: 'POST' as const,
    url: new URL(url),
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ notificationId: id, title, body, targetUrl, tokens }),
    timeoutMs: CALL_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    signal,
  };
  const attempt = async (): Promise<Uint8Array> => {
    const { status, body: answer } = await outbound.request({
      ...call,
      headers: { ...call.headers, ...outbound.traceHeaders?.() },
    });
    if (!isSuccess(status)) throw new OutboundError('status', `answered ${status}.`, { status });
    return answer;
  };
  let find: (token: string) => Outcome;
  try {
    find = readHostAnswer(await meter('campaign', attempt));
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof OutboundError)) throw error;
    const outcome = outcomeOfError(error);
    find = () => outcome;
  }
  return recipients.map(({ fid, token }) => ({ fid, ...find(token) }));
};
