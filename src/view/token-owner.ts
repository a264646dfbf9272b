import type { Page } from '../hydrate/page.js';
import type { RelevantFungibleOwnersResponse } from '../schema/onchain/fungible-owner.js';
import { viewItems } from './items.js';
import { parseRendered } from './json.js';
import { userName, viewUserOf } from './user.js';
import { viewUserDehydrated } from './user-dehydrated.js';

/**
 * @param top fids shown in full
 * @param all fids shown by name and picture; the others of the response are among them
 */
export const viewRelevantOwners = (
  top: readonly number[],
  all: readonly number[],
  page: Page,
): RelevantFungibleOwnersResponse => {
  const hydrated = viewItems(top, page, userName, (fid) => viewUserOf(fid, page));
  const dehydrated = viewItems(all, page, userName, (fid) => viewUserDehydrated(fid, page));
  return parseRendered(
    `{"top_relevant_fungible_owners_hydrated":[${hydrated}],"all_relevant_fungible_owners_dehydrated":[${dehydrated}]}`,
  ) as RelevantFungibleOwnersResponse;
};
