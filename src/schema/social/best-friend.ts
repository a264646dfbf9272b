import Type from 'typebox';
import { named } from '../named.js';
import { NextCursor } from '../page.js';

export const BestFriendsResponse = named(
  'BestFriendsResponse',
  Type.Object({
    next: Type.Optional(NextCursor),
    users: Type.Array(
      Type.Object({ fid: Type.Integer(), mutual_affinity_score: Type.Number(), username: Type.String() }),
    ),
  }),
);
