import { type Call, CallError, read } from '../call.js';
import { type CastJson, viewCast } from '../entity.js';
import { choice, cursor, flag, input, limit, optional, text, viewerFid } from '../input.js';
import { type Cut, textWithData, withinBudget } from '../result.js';
import { readTool } from '../tool.js';

interface Conversation {
  readonly conversation: { readonly cast: CastJson; readonly chronological_parent_casts?: readonly CastJson[] };
  readonly next?: { readonly cursor: string | null };
}

/** @returns how an operation is asked for a cast */
const identify = (cast: string): { identifier: string; type: 'hash' | 'url' } => ({
  identifier: cast,
  type: /^https?:/i.test(cast) ? 'url' : 'hash',
});

export const castInput = text(500, 'Hash of a cast (0x and 40 hex digits), or its web address.');

/** @param depth levels of replies that are shown; the counts say how many there are */
const viewTree = (cast: CastJson, cut: Cut, depth: number): object => {
  const below = depth > 0 ? (cast.direct_replies ?? []) : [];
  const shown = below.length > 0 ? { below: below.map((reply) => viewTree(reply, cut, depth - 1)) } : {};
  return { ...viewCast(cast, cut), thread: undefined, channel: undefined, ...shown };
};

/** @returns the summary by the operator's model, or why there is none: a thread is useful without one */
const summarize = async (call: Call, cast: string): Promise<{ text: string } | { missing: string }> => {
  try {
    const query = { identifier: cast, limit: 50 };
    const path = '/v2/social/cast/conversation/summary/';
    return (await read<{ summary: { text: string } }>(call, path, query)).summary;
  } catch (error) {
    if (error instanceof CallError) return { missing: error.message };
    throw error;
  }
};

export const readThread = readTool({
  name: 'read_thread',
  title: 'Read a thread',
  description:
    'Read a cast with the replies below it, and optionally the casts above it and a summary of the conversation up to it. It takes any cast: read on below a reply with its hash.',
  input: input({
    cast: castInput,
    summary: optional(flag('Adds a summary, which a language model of the operator writes.')),
    above: optional(flag('Adds the casts above this one, from the first of the thread.')),
    order: optional(choice(['chron', 'desc_chron', 'algorithmic'], 'Order of the replies; oldest first when absent.')),
    viewer_fid: optional(viewerFid),
    limit: optional(limit(20, 10)),
    cursor: optional(cursor),
  }),
  run: async ({ cast, summary = false, above = false, order, viewer_fid, limit: most = 10, cursor: after }, call) => {
    const asked = (count: number) =>
      read<Conversation>(call, '/v2/social/cast/conversation/', {
        ...identify(cast),
        reply_depth: 2,
        include_chronological_parent_casts: above || undefined,
        sort_type: order,
        viewer_fid,
        limit: count,
        cursor: after,
      });
    const summed = summary ? await summarize(call, cast) : undefined;
    for (let count = most; ; count = Math.floor(count / 2)) {
      const text = threadText(await asked(count), summed);
      if (text !== undefined) return text;
      if (count === 1) throw new CallError(413, 'TooLarge', 'This part of the thread is longer than a result.');
    }
  },
});

/** Of the casts above, the first and the last ones are shown. */
const ABOVE = { first: 1, last: 5 };

/** @returns the text; undefined if it is too long with its texts cut and without the second level of replies */
const threadText = (
  { conversation: { cast, chronological_parent_casts: parents = [] }, next }: Conversation,
  summary: { text: string } | { missing: string } | undefined,
): string | undefined => {
  const { first, last } = ABOVE;
  const above = parents.length <= first + last ? parents : [...parents.slice(0, first), ...parents.slice(-last)];
  const direct = cast.direct_replies?.length ?? 0;
  const said = next?.cursor
    ? `For more, call again with cursor "${next.cursor}".`
    : 'There are no more direct replies.';
  const missing =
    summary !== undefined && 'missing' in summary ? ' There is no summary: the service has none to give.' : '';
  const skipped = parents.length - above.length;
  const hidden = skipped > 0 ? ` ${skipped} casts in the middle of those above are left out.` : '';
  const lead = `The cast with ${direct} direct replies of this page. ${said}${missing}${hidden}`;
  for (const depth of [2, 1]) {
    const view = (cut: Cut) => ({
      summary: summary === undefined || 'missing' in summary ? undefined : cut(summary.text),
      above: above.length > 0 ? above.map((one) => viewCast(one, cut)) : undefined,
      cast: viewTree(cast, cut, depth),
    });
    const text = withinBudget(
      depth === 2 ? lead : `${lead} Replies to replies are left out: replies says how many.`,
      view,
    );
    if (text !== undefined) return text;
  }
  return undefined;
};

/** Reads one cast, for its resource. @throws CallError */
export const readCast = async (call: Call, hash: string): Promise<string> => {
  const { cast } = await read<{ cast: CastJson }>(call, '/v2/social/cast/', identify(hash));
  return withinBudget('The cast.', (cut) => viewCast(cast, cut)) ?? textWithData('The cast is too long.', { hash });
};
