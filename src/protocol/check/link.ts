import { MAX_LINK_TYPE_BYTES } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { LinkBody, LinkCompactStateBody } from '../wire/body.js';
import { checkFid } from './target.js';

/** @throws Rejection for a link without target or with a type of the wrong length */
export const checkLink = (link: LinkBody): void => {
  checkLinkType(link.type);
  if (link.targetFid === undefined) throw new Rejection('bad_target', 'a link needs a targetFid');
  checkFid(link.targetFid, 'the target of a link');
};

/** @throws Rejection for a compact state with an invalid target or a type of the wrong length */
export const checkLinkCompactState = (state: LinkCompactStateBody): void => {
  checkLinkType(state.type);
  if (state.targetFids.length === 0) throw new Rejection('bad_target', 'a compact state needs targetFids');
  for (const fid of state.targetFids) checkFid(fid, 'a target of a compact state');
};

const checkLinkType = (type: Uint8Array): void => {
  if (type.length >= 1 && type.length <= MAX_LINK_TYPE_BYTES) return;
  throw new Rejection('bad_link_type', `the type of a link has 1 to ${MAX_LINK_TYPE_BYTES} bytes, not ${type.length}`);
};
