import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { AppError, invalidField } from '../../error.js';
import type { Cast } from '../../hydrate/cast.js';
import { hydrateHidden } from '../../hydrate/hidden.js';
import { hydrateCasts, type Page } from '../../hydrate/page.js';
import { displayedUsername } from '../../hydrate/user.js';
import { MODEL_TIMEOUT_MS, ModelError } from '../../model/endpoint.js';
import { toIso } from '../../protocol/time.js';
import { EXAMPLE_HASH } from '../../schema/example.js';
import { ConversationSummary } from '../../schema/social/conversation.js';
import { selectCasts } from '../../store/query/cast.js';
import { selectThreadUpTo } from '../../store/query/thread.js';
import type { Audience } from '../../store/visibility.js';
import { viewCastText } from '../../view/cast-content.js';
import { viewConversationSummary } from '../../view/conversation-summary.js';
import { operation } from '../http/operation.js';
import { readCastHash } from './cast-hash.js';
import { castIdentifier, readIdentifier } from './cast-identifier.js';

const MAX_PROMPT = 2000;

const unconfigured = (): AppError => {
  const message =
    'Summaries need a language model, and this service has none: its operator sets CASTELLAN_SUMMARY_URL and ' +
    'CASTELLAN_SUMMARY_MODEL.';
  return new AppError('not_implemented', 'NotImplemented', message);
};

const failed = (cause: ModelError): AppError => {
  const message = `The language model gave no usable answer within ${MODEL_TIMEOUT_MS / 1000} s. Try again later.`;
  return new AppError('internal', 'ModelFailed', message, { cause });
};

/** @returns the casts of the conversation in order of time. @throws AppError 'invalid' if none can be shown */
const readConversation = async (
  identifier: string,
  limit: number,
  audience: Audience,
  read: ReadContext,
): Promise<{ readonly hash: string; readonly casts: readonly Cast[]; readonly page: Page }> => {
  const type = readCastHash(identifier) === undefined ? 'url' : 'hash';
  const named = await readIdentifier({ identifier, type }, read);
  const [cast] = named === undefined ? [] : await selectCasts(read, [named]);
  // The contract lists no 404 for this operation.
  if (cast === undefined) throw invalidField('identifier', 'No such cast is stored.');
  const hashes = await selectThreadUpTo(read, cast, audience, limit);
  const page = await hydrateCasts(read, hashes, { audience });
  const casts = hashes.flatMap((hash) => page.casts.get(hash) ?? []);
  if (casts.length === 0) throw invalidField('identifier', 'The app banned all authors of this conversation.');
  return { hash: cast.hash, casts, page };
};

const authorOf = ({ row: { fid } }: Cast, { accounts }: Page): string =>
  displayedUsername(accounts.get(fid)?.row ?? { fid, username: null });

/** @returns whether a text has the name between characters that names do not have */
const names = (text: string, name: string): boolean => {
  const escaped = name.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // A name may end in `.eth`, but a full stop after it ends the sentence.
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'u').test(text);
};

/** @returns fids mentioned in the casts whose accounts exist, are visible, and are named in the text */
const mentionedIn = async (
  text: string,
  casts: readonly Cast[],
  audience: Audience,
  page: Page,
  read: ReadContext,
): Promise<number[]> => {
  const lower = text.toLowerCase();
  const fids = [...new Set(casts.flatMap(({ row }) => row.mentions ?? []))].filter((fid) => {
    const row = page.accounts.get(fid)?.row;
    return row !== undefined && [row.username, row.displayName].some((name) => name && names(lower, name));
  });
  const hidden = await hydrateHidden(read, fids, audience);
  return fids.filter((fid) => !hidden.has(fid));
};

export const lookupCastConversationSummary = operation({
  id: 'lookup-cast-conversation-summary',
  path: '/v2/social/cast/conversation/summary/',
  tags: ['Agents'],
  title: 'Summarise a conversation',
  summary: 'Summarise the conversation up to a cast with the language model that the operator configured.',
  // A call of a language model, which costs the operator money.
  cost: { fixed: 100 },
  waitsOutside: true,
  query: Type.Object({
    identifier: castIdentifier.identifier,
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
    prompt: Type.Optional(Type.String()),
  }),
  parameters: {
    identifier: { description: 'Hash of the cast, or its web address.', example: EXAMPLE_HASH.reply },
    limit: { description: 'The latest casts of the thread up to this cast that are summarised.' },
    prompt: { description: 'What the summary should be like, at most 2,000 characters.', example: 'In one sentence.' },
  },
  response: ConversationSummary,
  handle: async ({ query, caller }, { summaries, reads }) => {
    if (summaries === undefined) throw unconfigured();
    const { identifier, limit } = query;
    const prompt = query.prompt?.trim() || undefined;
    if (prompt !== undefined && prompt.length > MAX_PROMPT) {
      throw invalidField('prompt', `prompt may have ${MAX_PROMPT} characters at most`);
    }
    const read = reads.open();
    const audience = { appId: caller.appId, viewer: null };
    const { hash, casts, page } = await readConversation(identifier, limit, audience, read);
    const request = {
      hash,
      prompt,
      casts: casts.map((cast) => ({
        hash: cast.row.hash,
        author: authorOf(cast, page),
        text: viewCastText(cast, page).text,
        time: toIso(cast.row.ts),
      })),
    };
    const text = await summaries.summarise(request).catch((error: unknown) => {
      throw error instanceof ModelError ? failed(error) : error;
    });
    const participants = [...new Set(casts.map(({ row }) => row.fid))];
    return viewConversationSummary(text, participants, await mentionedIn(text, casts, audience, page, read), page);
  },
});
