import Type from 'typebox';
import { invalidField } from '../../error.js';
import { hydrateCasts } from '../../hydrate/page.js';
import { Conversation } from '../../schema/social/conversation.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectCasts } from '../../store/query/cast.js';
import { type ReplyRow, selectAncestors, selectReplies } from '../../store/query/conversation.js';
import { viewConversation } from '../../view/conversation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { pagedOperation } from '../page/paged-operation.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

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

export const lookupCastConversation = pagedOperation({
  id: 'lookup-cast-conversation',
  path: '/v2/social/cast/conversation/',
  tags: ['Cast'],
  title: 'Get a conversation',
  summary: 'Read a cast with the replies to it, theirs within; the cursor pages through the direct replies.',
  // Direct replies cost twice, because each comes with its own replies. Each further level has up to 100 casts, and so
  // have the parent casts.
  cost: {
    base: 4,
    each: 8,
    of: 'limit',
    more: [
      { each: 100, of: 'reply_depth', above: 2 },
      { each: 100, of: 'include_chronological_parent_casts' },
    ],
  },
  headers: experimentalHeader,
  query: {
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
  },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 50, default: 20 }),
  parameters: {
    include_chronological_parent_casts: {
      description: 'Adds the casts above this one, from the root of the thread down.',
    },
    sort_type: {
      description:
        'The order of the replies; oldest first (`chron`) when absent. `algorithmic` ranks the newest 1,000; older ones follow by time.',
    },
  },
  response: Conversation,
  sortKey: Type.Object({ rank: Type.Number(), ts: Type.Integer(), hash: Type.String() }),
  filters: async ({ query, caller: { appId } }, read) => {
    const { reply_depth: depth, sort_type: order = 'chron', fold, viewer_fid: viewer = null } = query;
    const named = await readIdentifier(query, read);
    const [cast] = named === undefined ? [] : await selectCasts(read, [named]);
    // The contract lists no 404 for this operation.
    if (cast === undefined) throw invalidField('identifier', 'No such cast is stored.');
    return { fid: cast.fid, hash: cast.hash, depth, order, fold, audience: { appId, viewer } };
  },
  isUncached: true,
  load: async (read, { fid, hash, ...filters }, { after, size, horizon }) => {
    const page = { ...filters, horizon, after, limit: size + 1 };
    const rows = filters.depth === 0 ? [] : await selectReplies(read, { fid, hash }, page);
    const direct = rows.filter((row) => row.level === 1);
    const beyond = direct[size]?.hash;
    const last = beyond === undefined ? undefined : direct[size - 1];
    return {
      content: byParent(rows.filter((row) => row.hash !== beyond && row.parent !== beyond)),
      end: last && { rank: last.rank, ts: last.ts, hash: last.hash },
    };
  },
  view: async (replies, next, { query }, read, { fid, hash, audience }) => {
    const ancestors = query.include_chronological_parent_casts
      ? await selectAncestors(read, { fid, hash }, audience)
      : undefined;
    const hashes = [hash, ...(ancestors ?? []), ...[...replies.values()].flat()];
    return viewConversation({ hash, replies, ancestors, next }, await hydrateCasts(read, hashes, { audience }));
  },
});
