import type { Page } from '../hydrate/page.js';
import { quote, toBytes } from './json.js';
import { viewUserItems } from './user-page.js';

/**
 * @param participants fids
 * @param mentioned fids
 * @returns `ConversationSummary`
 */
export const viewConversationSummary = (
  text: string,
  participants: readonly number[],
  mentioned: readonly number[],
  page: Page,
): Buffer =>
  toBytes(
    `{"summary":{"text":${quote(text)},"participants":[`,
    viewUserItems(participants, page),
    `],"mentioned_profiles":[${viewUserItems(mentioned, page).join()}]}}`,
  );
