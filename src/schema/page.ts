import Type, { type Static } from 'typebox';
import { named } from './named.js';
import { nullable } from './nullable.js';

export const NextCursor = named('NextCursor', Type.Object({ cursor: nullable(Type.String()) }));
export type NextCursor = Static<typeof NextCursor>;
