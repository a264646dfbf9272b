import { invalidField } from '../../error.js';
import { GenerateImageReqBody, GenerateImageResponse } from '../../schema/onchain/image.js';
import { onceForKey, walletHeaders } from '../http/idempotency-key.js';
import { HandlerResponse, operation } from '../http/operation.js';
import { requireMediaSpace, storeMedia } from '../media/store-media.js';

/** Limit of the models of OpenAI; the contract has none. */
const MAX_PROMPT_CHARACTERS = 32_000;

export const generateImage = operation({
  id: 'generate-image',
  method: 'POST',
  path: '/v2/social/nft/image/',
  tags: ['NFTs'],
  title: 'Draw or edit an image',
  summary: 'Draw an image from a prompt, or edit images, and return the public URL of the result.',
  // The operator pays its model for each.
  cost: { fixed: 150 },
  scope: 'wallet',
  waitsOutside: true,
  headers: walletHeaders,
  body: GenerateImageReqBody,
  bodyExample: { prompt: 'A lighthouse at dawn, in flat colours.', width: 512, height: 512 },
  response: GenerateImageResponse,
  errors: [400, 403, 404, 409, 500],
  handle: async (request, services) => {
    const { body, caller, headers, disconnected } = request;
    const { prompt, width = 1024, height = 1024, format = 'png', high_fidelity = false, source_image_urls = [] } = body;
    if (prompt.length > MAX_PROMPT_CHARACTERS) {
      const limit = MAX_PROMPT_CHARACTERS.toLocaleString('en');
      throw invalidField('prompt', `prompt must be at most ${limit} characters long, not ${prompt.length}.`);
    }
    const { imageUrl, generator } = await onceForKey(services, request, 'generate-image', async () => {
      await services.wallets.use(caller.organizationId, headers['x-wallet-id']);
      await requireMediaSpace(services, caller);
      const image = await services.images.generate(
        { prompt, width, height, format, highFidelity: high_fidelity, sourceUrls: source_image_urls },
        disconnected,
      );
      const file = { bytes: image.bytes, contentType: `image/${format}`, property: 'format' };
      return { imageUrl: await storeMedia(services, caller, file), generator: image.generator };
    });
    return new HandlerResponse(
      200,
      { image_url: imageUrl },
      // Nobody should take a drawing of this service for one of a model.
      generator === 'pattern' ? { 'x-image-generator': generator } : {},
    );
  },
});
