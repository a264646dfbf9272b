/**
 * The number under which a link type is stored: the types that this service reads have their own, all others share
 * `other`. This is our convention, not the protocol's.
 */
export const LinkSubtype = { other: 0, follow: 1, block: 2 } as const;

/** @param linkType as in the protocol (`follow`) */
export const linkSubtypeOf = (linkType: string): number =>
  linkType === 'follow' || linkType === 'block' ? LinkSubtype[linkType] : LinkSubtype.other;
