import {
  EXAMPLE_APP_UUID,
  EXAMPLE_HASH,
  EXAMPLE_ORGANIZATION_UUID,
  EXAMPLE_UUID,
  EXAMPLE_WALLET_UUID,
} from './example.js';

/** Texts for the reference in addition to a parameter's schema. */
export interface ParameterText {
  /** Markdown; if absent, the schema's own description is used. */
  readonly description?: string;
  /** A value with results in the sample network. */
  readonly example?: string | number | boolean;
}

/** By the name of the parameter. */
export type ParameterTexts = Readonly<Record<string, ParameterText>>;

/** Parameters with the same meaning in all operations, by name. */
export const COMMON_PARAMETERS: ParameterTexts = {
  viewer_fid: {
    description:
      'The account that looks at the results: those whom it muted or blocked, or who blocked it, are left out, and `viewer_context` says what it liked and follows.',
    example: 3,
  },
  limit: { description: 'The most results on one page.' },
  cursor: { description: '`next.cursor` of the previous page; absent for the first page.' },
  identifier: { example: EXAMPLE_HASH.root },
  type: { description: 'Whether `identifier` is the `hash` of a cast or its web address (`url`).', example: 'hash' },
  webhook_id: {
    description: 'The webhook, one of the calling app.',
    example: EXAMPLE_UUID,
  },
  organization_uuid: { description: '`uuid` of an organization.', example: EXAMPLE_ORGANIZATION_UUID },
  app_uuid: { description: '`uuid` of an app.', example: EXAMPLE_APP_UUID },
  dbstats: { example: true },
  shard_id: { example: 1 },
  'x-wallet-id': { example: EXAMPLE_WALLET_UUID },
};
