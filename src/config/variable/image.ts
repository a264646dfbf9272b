import { domainAssociation } from '../domain-association.js';
import { anyText, httpUrl, integer, oneOf, secret } from '../parse.js';
import { byProfile, optional, variable } from '../variable-row.js';

/** Variables of images, stored files and mini apps. */
export const IMAGE_VARIABLES = {
  CASTELLAN_IMAGE_URL: optional(
    httpUrl,
    'Endpoint with the interface of OpenAI for images, like `https://api.openai.com/v1`: `/images/generations` and `/images/edits` are called there. It may be on this machine, also over http. It learns the prompts and source images of users. Without it, requests for images are a 501.',
  ),
  CASTELLAN_IMAGE_KEY: optional(
    secret(/^[\x21-\x7e]{1,512}$/, 'has spaces or is longer than 512 characters.'),
    'Key of that endpoint.',
  ),
  CASTELLAN_IMAGE_MODEL: optional(anyText, 'Name of the model there.', 'required with `CASTELLAN_IMAGE_URL`'),
  CASTELLAN_IMAGE_MODEL_HIGH: optional(
    anyText,
    'Name of the model for requests with `high_fidelity`.',
    'the value of `CASTELLAN_IMAGE_MODEL`',
  ),
  CASTELLAN_IMAGE_GENERATOR: byProfile(
    oneOf('pattern', 'off'),
    { dev: 'pattern', serve: 'off' },
    'Without `CASTELLAN_IMAGE_URL`, `pattern` draws a geometric pattern in place of an image; the response says so in `x-image-generator`.',
  ),
  CASTELLAN_MEDIA_QUOTA_MB: variable(
    integer(0, 1_048_576),
    1024,
    'How many MiB all stored files of an organization may have together. They are in the database.',
  ),
  CASTELLAN_MINIAPP_ASSOCIATION: optional(
    domainAssociation,
    'Proof that the domain of `PUBLIC_URL` belongs to your account, for `/.well-known/farcaster.json`: the JSON object with `header`, `payload` and `signature` that clients of the network sign ([payments](payments.md#the-manifest)).',
  ),
};
