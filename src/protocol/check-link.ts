import type { LinkBody, LinkCompactStateBody } from './wire/body.js';
import { checkFid } from './check-target.js';
import { MAX_LINK_TYPE_BYTES } from './limit.js';
import { Refusal } from './verification-result.js';

/** @throws Refusal when a link has no target or a type of the wrong length */
export function checkLink(link: LinkBody): void {
  checkLinkType(link.type);
  if (link.targetFid === undefined) throw new Refusal('bad_target', 'a link needs a targetFid');
  checkFid(link.targetFid, 'the target of a link');
}

/** @throws Refusal when a compact state names nobody or has a type of the wrong length */
export function checkLinkCompactState(state: LinkCompactStateBody): void {
  checkLinkType(state.type);
  if (state.targetFids.length === 0) throw new Refusal('bad_target', 'a compact state needs targetFids');
  for (const fid of state.targetFids) checkFid(fid, 'a target of a compact state');
}

function checkLinkType(type: Uint8Array): void {
  if (type.length >= 1 && type.length <= MAX_LINK_TYPE_BYTES) return;
  throw new Refusal('bad_link_type', `the type of a link has 1 to ${MAX_LINK_TYPE_BYTES} bytes, not ${type.length}`);
}
