import type { ReadContext } from '../../cache/read-context.js';
import type { Session } from '../../db/statement.js';
import { castByHash } from '../../hydrate/cast.js';
import { loadFacts } from '../../hydrate/cast-facts.js';
import type { CastEvent } from '../../protocol/event/social-event.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import type { Webhook } from '../../store/event/webhook.js';
import type { CastRow } from '../../store/query/cast.js';
import { ChannelAliases } from '../channel-alias.js';
import { explainMatch, type MatchReport } from '../match-report.js';
import { Matcher } from '../matcher.js';
import type { PatternSearch } from '../pattern-search.js';

const eventOf = (row: CastRow, type: CastEvent['type']): CastEvent => ({
  type,
  logId: 0,
  part: 0,
  at: new Date(0),
  fid: row.fid,
  hash: row.hash,
  ts: row.ts,
  castType: 0,
  text: row.text,
  mentions: row.mentions ?? [],
  mentionPositions: row.mentionPositions ?? [],
  embeds: row.embeds ?? [],
  parentFid: row.parentFid,
  parentHash: row.parentHash,
  parentUrl: row.parentUrl,
  signer: new Uint8Array(),
});

/** @returns why a stored cast matches the webhook's filters or not; undefined if the cast is not stored */
export const explainCastMatch = async (
  { db, read, search }: { readonly db: Session; readonly read: ReadContext; readonly search: PatternSearch },
  webhook: Webhook,
  { hash, type }: Pick<CastEvent, 'hash' | 'type'>,
): Promise<MatchReport | undefined> => {
  const cast = (await read.get(castByHash, [hash])).get(hash);
  if (cast === undefined) return undefined;
  const filters = webhook.filters as WebhookSubscriptionFilters;
  const aliases = new ChannelAliases();
  await aliases.load(db, [filters]);
  const event = eventOf(cast.row, type);
  const [facts] = await loadFacts(read, [event], { text: true, rootParentUrl: true, score: true });
  const matcher = new Matcher<Webhook>(aliases.of);
  matcher.add(filters, webhook);
  const isFound = await search(matcher.searches([event], [facts]));
  return explainMatch(filters, event, facts, { isFound, aliasesOf: aliases.of });
};
