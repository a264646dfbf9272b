import type { ImageSettings } from '../config/image.js';
import type { OutboundClient } from '../delivery/outbound.js';
import { AppError } from '../error.js';
import type { GeneratedImage, ImageGenerator, ImageRequest } from './image.js';
import { callModel, unreadableImage } from './model.js';
import { patternOf } from './pattern.js';
import { drawImage, fitImage, ImageError } from './raster.js';
import { readSources } from './source.js';

/** For a whole request, in milliseconds: models take 10 to 60 seconds. */
export const IMAGE_TIMEOUT_MS = 120_000;

const UNCONFIGURED = new AppError(
  'not_implemented',
  'NotImplemented',
  'This service has no image model: its operator has to set CASTELLAN_IMAGE_URL and CASTELLAN_IMAGE_MODEL.',
);

const modelImage = async (bytes: Buffer, request: ImageRequest): Promise<Buffer> => {
  try {
    return await fitImage(bytes, request);
  } catch (error) {
    throw error instanceof ImageError ? unreadableImage(error) : error;
  }
};

/** @param options `outbound` fetches the addresses of users */
export const createImageGenerator = ({
  config: { endpoint, drawsPattern },
  outbound,
  timeoutMs = IMAGE_TIMEOUT_MS,
}: {
  readonly config: ImageSettings;
  readonly outbound: OutboundClient;
  readonly timeoutMs?: number;
}): ImageGenerator => {
  const generate = async (request: ImageRequest, signal: AbortSignal): Promise<GeneratedImage> => {
    if (endpoint === undefined && !drawsPattern) throw UNCONFIGURED;
    const sources = await readSources(outbound, request.sourceUrls, signal);
    if (endpoint === undefined) {
      const bytes = await drawImage(patternOf(request.prompt, sources, request), request.format);
      return { bytes, generator: 'pattern' };
    }
    const drawn = await callModel({ endpoint, outbound }, request, sources, signal);
    return { bytes: await modelImage(drawn, request), generator: 'model' };
  };
  return {
    generate: async (request, disconnected) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return await generate(request, AbortSignal.any([disconnected, timeout]));
      } catch (error) {
        if (disconnected.aborted) {
          throw new AppError('invalid', 'RequestCancelled', 'The connection was closed before there was an image.');
        }
        if (!timeout.aborted) throw error;
        const message = `The image model took longer than ${timeoutMs / 1000} s. Try again later.`;
        throw new AppError('internal', 'ImageModelFailed', message, { cause: new Error(message) });
      }
    },
  };
};
