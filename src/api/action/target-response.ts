import { hasFewValues } from '../../delivery/foreign-json.js';
import type { OutboundResponse } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';
import { isObject } from '../../is-object.js';
import { isDeeper, MAX_LEVELS } from '../../json-depth.js';

/** Of an answer, counted as by `parseJson`. */
const MAX_VALUES = 20_000;

/** Callers could not read one that is nested too deeply: many parsers have a limit. */
const isJsonObject = (body: Buffer): boolean => {
  try {
    if (!hasFewValues(body, MAX_VALUES)) return false;
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) && !isDeeper(value, MAX_LEVELS);
  } catch {
    return false;
  }
};

/** Not part of JSON, though some programs write it; callers of this service need not know it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const withoutMark = (body: Buffer): Buffer =>
  body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(BYTE_ORDER_MARK.length) : body;

/**
 * @returns the target's JSON unchanged, so that large numbers keep their precision
 * @throws OutboundError for a status other than 2xx, and for a body that is not a JSON object, or is too large to be read
 */
export const forwardTargetResponse = ({ status, body }: OutboundResponse): Buffer => {
  if (status < 200 || status > 299) throw new OutboundError('status', `answered ${status}.`, { status });
  if (!isJsonObject(body)) {
    throw new OutboundError(
      'broken',
      `answered ${status} with a body that is not a JSON object, or one of too many values or levels.`,
      {
        status,
      },
    );
  }
  return withoutMark(body);
};
