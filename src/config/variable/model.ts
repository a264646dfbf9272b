import { anyText, httpUrl, secret } from '../parse.js';
import { optional } from '../variable-row.js';

const modelKey = secret(/^[\x21-\x7e]+$/, 'contains spaces or characters that a header cannot have.');

/** Variables of the language model and of the embedding model. */
export const MODEL_VARIABLES = {
  CASTELLAN_SUMMARY_URL: optional(
    httpUrl,
    'Base URL of a language model with the interface of OpenAI: `/v1/chat/completions` is appended, or `/chat/completions` if it ends in `/v1`. It may be on this machine or in a private network, also over http. Without it, conversations are not summarised (501), and topics have no summaries ([operating](operating.md)).',
  ),
  CASTELLAN_SUMMARY_MODEL: optional(anyText, 'Name of the model in requests.', 'required with `CASTELLAN_SUMMARY_URL`'),
  CASTELLAN_SUMMARY_KEY: optional(modelKey, 'Key that the model endpoint gets in the header `authorization: Bearer`.'),
  CASTELLAN_EMBEDDING_URL: optional(
    httpUrl,
    'Base URL of an embedding model with the interface of OpenAI: `/v1/embeddings` is appended, or `/embeddings` if it ends in `/v1`. It may be on this machine or in a private network, also over http. It reads the texts of casts and of searches. Without it, `mode=semantic` and `hybrid` of the search for casts are a 501 ([operating](operating.md)).',
  ),
  CASTELLAN_EMBEDDING_MODEL: optional(
    anyText,
    'Name of the model in requests. With another name, the newest casts are read again.',
    'required with `CASTELLAN_EMBEDDING_URL`',
  ),
  CASTELLAN_EMBEDDING_KEY: optional(
    modelKey,
    'Key that the embedding endpoint gets in the header `authorization: Bearer`.',
  ),
};
