import Type from 'typebox';
import { namedObject } from '../named.js';
import { NextCursor } from '../page.js';

export const BestFriendsResponse = namedObject('BestFriendsResponse', {
  next: Type.Optional(NextCursor),
  users: Type.Array(
    Type.Object({ fid: Type.Integer(), mutual_affinity_score: Type.Number(), username: Type.String() }),
  ),
});
