import { EXAMPLE_HASH } from '../../schema/example.js';
import type { ParameterText } from '../../schema/parameter-text.js';

/** Texts that several operations of hubs share. */
export const AUTHOR_TEXT: ParameterText = { description: 'The account whose messages are read.', example: 1 };
export const HASH_TEXT: ParameterText = {
  description: 'Hash of the cast, 0x and 40 hex digits.',
  example: EXAMPLE_HASH.root,
};
export const REACTION_TYPE_TEXT: ParameterText = {
  description: 'The kind of reaction: a like or a recast, by its name or by its number (1 or 2).',
  example: '1',
};
