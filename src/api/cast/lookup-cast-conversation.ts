import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Conversation } from '../../schema/social/conversation.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCasts } from '../../store/query/cast.js';
import { type ReplyRow, selectAncestors, selectReplies } from '../../store/query/conversation.js';
import { viewConversation } from '../../view/conversation.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

const ID = 'lookup-cast-conversation';
const sortKey = Type.Tuple([Type.Number(), Type.Integer(), Type.String()]);

/** Groups replies by their parent cast, in the order of `rows`. */
const byParent = (rows: readonly ReplyRow[]): Map<string, string[]> => {
  const replies = new Map<string, string[]>();
  for (const { parent, hash } of rows) {
    const siblings = replies.get(parent);
    if (siblings === undefined) replies.set(parent, [hash]);
    else siblings.push(hash);
  }
  return replies;
};

export const lookupCastConversation = operation({
  id: ID,
  path: '/v2/social/cast/conversation/',
  tags: ['Cast'],
  summary: 'Read a cast with the replies to it, theirs within; the cursor pages through the direct replies.',
  headers: experimentalHeader,
  query: Type.Object({
    ...castIdentifier,
    reply_depth: Type.Integer({
      default: 2,
      minimum: 0,
      maximum: 5,
      description: 'Levels of replies. Below the first, at most 10 replies to one cast and 100 of a level.',
    }),
    include_chronological_parent_casts: Type.Boolean({ default: false }),
    viewer_fid: viewerFid,
    sort_type: Type.Optional(stringEnum(['chron', 'desc_chron', 'algorithmic'])),
    fold: Type.Optional(
      stringEnum(['above', 'below'], {
        description: 'Replies of authors with a low score sit below the fold, with all that hangs on them.',
      }),
    ),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 50, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: Conversation,
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { reply_depth: depth, sort_type: order = 'chron', fold, limit, viewer_fid: viewer } = query;
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const named = await readIdentifier(query, read);
    const [cast] = named === undefined ? [] : await selectCasts(read, [named]);
    // The contract lists no 404 for this operation.
    if (cast === undefined) throw invalidField('identifier', 'No such cast is stored.');
    const { hash } = cast;
    const filters = { hash, depth, order, fold, ...audience };
    const list = openPage(cursorKey, { operationId: ID, sortKey }, filters, query, read.now);
    const after = list.after && { rank: list.after[0], ts: list.after[1], hash: list.after[2] };
    const horizon = fromUnixMs(list.firstPageTime);
    const requested = { audience, order, depth, fold, horizon, after, limit: list.limit };
    const [rows, ancestors] = await Promise.all([
      depth === 0 ? [] : selectReplies(read, cast, requested),
      query.include_chronological_parent_casts ? selectAncestors(read, cast, audience) : undefined,
    ]);
    const direct = rows.filter((row) => row.level === 1);
    const { cursor: next } = list.cut(direct, (row) => [row.rank, row.ts, row.hash]);
    const beyond = direct[limit]?.hash;
    const replies = byParent(rows.filter((row) => row.hash !== beyond && row.parent !== beyond));
    const hashes = [hash, ...(ancestors ?? []), ...[...replies.values()].flat()];
    const page = await hydrateCasts(read, hashes, { audience });
    return viewConversation({ hash, replies, ancestors, next }, page);
  },
});
