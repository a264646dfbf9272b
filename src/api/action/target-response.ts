import type { OutboundResponse } from '../../delivery/outbound.js';
import { OutboundError } from '../../delivery/outbound-error.js';

const isJsonObject = (body: Buffer): boolean => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/**
 * @returns the target's JSON unchanged, so that large numbers keep their precision
 * @throws OutboundError for a status other than 2xx, and for a body that is not a JSON object
 */
export const forwardTargetResponse = ({ status, body }: OutboundResponse): Buffer => {
  if (status < 200 || status > 299) throw new OutboundError('status', `answered ${status}.`, { status });
  if (!isJsonObject(body)) {
    throw new OutboundError('broken', `answered ${status} with a body that is not a JSON object.`, { status });
  }
  return body;
};
