import Type from 'typebox';
import { namedObject } from '../named.js';
import { stringEnum } from '../string-enum.js';

const side = Type.Optional(Type.Integer({ default: 1024, minimum: 1, maximum: 4096, description: 'Pixels.' }));

export const GenerateImageReqBody = namedObject('GenerateImageReqBody', {
  prompt: Type.String({ minLength: 1, description: 'At most 32,000 characters.' }),
  width: side,
  height: side,
  format: Type.Optional(stringEnum(['png', 'jpeg', 'webp'], { default: 'png' })),
  high_fidelity: Type.Optional(
    Type.Boolean({ default: false, description: 'Uses a model with more details, which takes longer.' }),
  ),
  source_image_urls: Type.Optional(
    Type.Array(Type.String({ format: 'uri' }), {
      maxItems: 5,
      description: 'Images to edit or to go by: PNG, JPEG, GIF or WebP of at most 10 MiB each.',
    }),
  ),
});

export const GenerateImageResponse = namedObject('GenerateImageResponse', {
  image_url: Type.String({ format: 'uri', description: 'Everybody who knows this address can see the image.' }),
});
