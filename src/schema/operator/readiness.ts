import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

const time = Type.String({ format: 'date-time' });

export const ReadinessFailuresResponse = namedObject('ReadinessFailuresResponse', {
  since: Type.String({ format: 'date-time', description: 'Since when the process remembers: its start.' }),
  failures: Type.Array(
    Type.Object({
      check: Type.String(),
      problem: Type.String({ description: 'As it was first found.' }),
      began_at: time,
      ended_at: nullable(Type.String({ format: 'date-time', description: 'null: it still fails.' })),
    }),
    { description: 'Of the last day, the newest first.' },
  ),
});
