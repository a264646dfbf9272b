import { ReactionType } from '@farcaster/core';
import Type from 'typebox';

export const REACTION_KINDS = ['all', 'likes', 'recasts'] as const;
export type ReactionKind = (typeof REACTION_KINDS)[number];

export const reactionLimit = Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 });

/** @returns the distinct stored types, in a fixed order */
export const reactionTypes = (kinds: readonly ReactionKind[]): number[] => {
  const has = (kind: ReactionKind): boolean => kinds.includes('all') || kinds.includes(kind);
  return [...(has('likes') ? [ReactionType.LIKE] : []), ...(has('recasts') ? [ReactionType.RECAST] : [])];
};

/** Sort key of lists of reactions, newest first. */
export const reactionKey = Type.Object({ ts: Type.Integer(), hash: Type.String() });
