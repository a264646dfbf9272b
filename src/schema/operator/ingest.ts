import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

const count = Type.Integer({ minimum: 0 });

export const IngestStatusResponse = namedObject('IngestStatusResponse', {
  hub: nullable(
    Type.Object(
      {
        is_connected: Type.Boolean(),
        lag_seconds: nullable(
          Type.Integer({ minimum: 0, description: 'How far the store is behind the hub; null before any event.' }),
        ),
        sync: nullable(
          Type.Object(
            {
              accounts_done: count,
              accounts_total: count,
              seconds_left: nullable(
                Type.Integer({ minimum: 0, description: 'At the rate until now; null before the first accounts.' }),
              ),
            },
            {
              description:
                'What the hub had before is being read, account by account. null: nothing more is to be read.',
            },
          ),
        ),
        streams: Type.Array(
          Type.Object({
            shard: Type.Integer({ minimum: 0, description: '0 of a hub without shards.' }),
            is_connected: Type.Boolean(),
            lag_seconds: nullable(count),
            last_event_at: nullable(Type.String({ format: 'date-time' })),
          }),
          { description: 'One a shard of the hub.' },
        ),
      },
      { description: 'null: the service follows no hub.' },
    ),
  ),
  minutes: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      events: Type.Integer({
        minimum: 0,
        description: 'Changes that were stored: an upper bound, because ids have gaps.',
      }),
    }),
    { description: 'The last 60, the oldest first; the running one is the last.' },
  ),
});
