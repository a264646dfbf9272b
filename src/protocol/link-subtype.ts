/**
 * A link's type as the number it is stored under: the types that this service reads have one of their own, all others
 * share `other`. Our own convention, not the protocol's.
 */
export const LinkSubtype = { other: 0, follow: 1, block: 2 } as const;

/** @returns the number of a link type as the protocol spells it (`follow`). */
export const linkSubtypeOf = (linkType: string): number =>
  linkType === 'follow' || linkType === 'block' ? LinkSubtype[linkType] : LinkSubtype.other;
