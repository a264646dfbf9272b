import Type, { type Static } from 'typebox';
import { named } from './named.js';
import { nullable } from './nullable.js';

/** `cursor` is null at the end of a list; the member is always there. */
export const NextCursor = named('NextCursor', Type.Object({ cursor: nullable(Type.String()) }));
export type NextCursor = Static<typeof NextCursor>;
