import type { OutboundClient } from '../delivery/outbound.js';
import { OutboundError } from '../delivery/outbound-error.js';
import { invalidField } from '../error.js';
import { ImageError, normalizeImage } from './raster.js';

const MAX_BYTES = 10 * 1024 * 1024;
/** For the whole download of one image. */
const TIMEOUT_MS = 10_000;
/** Models scale larger images down themselves. */
const MAX_SIDE = 2048;

const PROPERTY = 'source_image_urls';

const readSource = async (
  outbound: OutboundClient,
  address: string,
  entry: string,
  signal: AbortSignal,
): Promise<Buffer> => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw invalidField(PROPERTY, `${entry} must be an https address.`);
  try {
    const { status, body } = await outbound.request({
      method: 'GET',
      url,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (status !== 200) throw invalidField(PROPERTY, `${entry}: its server answered ${status} instead of an image.`);
    return await normalizeImage(body, MAX_SIDE, signal);
  } catch (error) {
    if (error instanceof OutboundError) throw invalidField(PROPERTY, `${entry}: ${error.message}`);
    if (error instanceof ImageError) throw invalidField(PROPERTY, `${entry} ${error.message}.`);
    throw error;
  }
};

/**
 * Fetches images whose addresses come from a user. Redirects are not followed. When it ends, nothing of it goes on: the
 * first image that cannot be read ends the downloads of the others.
 * @param signal aborts when nobody waits for the images any more
 * @returns PNG images without metadata, in the order of the addresses
 * @throws AppError invalid with property `source_image_urls`; its message names the entry
 */
export const readSources = async (
  outbound: OutboundClient,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<Buffer[]> => {
  const failure = new AbortController();
  const until = AbortSignal.any([signal, failure.signal]);
  const images = urls.map((url, index) => readSource(outbound, url, `${PROPERTY}[${index}]`, until));
  try {
    return await Promise.all(images);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(images);
    throw error;
  }
};
