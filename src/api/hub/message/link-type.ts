import { LinkSubtype, linkSubtypeOf } from '../../../protocol/link-subtype.js';
import { decodeMessage } from '../../../protocol/wire/decode.js';
import type { Envelope } from '../../../protocol/wire/message.js';
import { ALL_LINK_SUBTYPES } from '../parameter.js';

/** @param type '' and none: all */
export const linkSubtypesOf = (type: string | undefined): readonly number[] =>
  type === undefined || type === '' ? ALL_LINK_SUBTYPES : [linkSubtypeOf(type)];

const ALL = (): boolean => true;

/**
 * @param type as in {@link linkSubtypesOf}
 * @returns whether a link of its subtypes has the type itself: types without a number of their own are stored together
 */
export const hasLinkType = (type: string | undefined): ((envelope: Envelope) => boolean) => {
  const [subtype, ...others] = linkSubtypesOf(type);
  if (others.length > 0 || subtype !== LinkSubtype.other) return ALL;
  return (envelope) => decodeMessage(envelope).data.linkBody?.type === type;
};
