import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryPage, HASHES } from '../../test/support/arbitrary-page.js';
import { expectView } from '../../test/support/expect-view.js';
import { plainCast } from '../../test/support/expected-view.js';
import { rounds } from '../../test/support/rounds.js';
import { BulkCastsResponse, CastResponse, CastsResponse, CastsSearchResponse } from '../schema/social/cast.js';
import { Conversation } from '../schema/social/conversation.js';
import { FeedResponse } from '../schema/social/feed.js';
import { viewBulkCasts, viewCastResponse, viewCastSearch, viewCasts, viewFeed } from './cast-page.js';
import { viewConversation } from './conversation.js';

test('rendered casts match the schema, including mentions, embeds and channels', () => {
  fc.assert(
    fc.property(arbitraryPage, (page) => {
      const casts = HASHES.flatMap((hash) => plainCast(hash, page) ?? []);
      const view = (): void => expectView(BulkCastsResponse, page.dialect, viewBulkCasts(HASHES, page), { casts });
      view();
      // The second rendering uses the JSON cached with the casts.
      view();
    }),
    { numRuns: rounds(300) },
  );
});

test('JSON cached with the casts of one page does not affect another page', () => {
  fc.assert(
    fc.property(arbitraryPage, arbitraryPage, (first, other) => {
      viewBulkCasts(HASHES, first);
      const second = { ...other, casts: first.casts };
      const casts = HASHES.flatMap((hash) => plainCast(hash, second) ?? []);
      expectView(BulkCastsResponse, second.dialect, viewBulkCasts(HASHES, second), { casts });
    }),
    { numRuns: rounds(300) },
  );
});

test('lists of casts contain a cursor, and a single cast that cannot be shown is an error', () => {
  fc.assert(
    fc.property(arbitraryPage, fc.constantFrom(null, 'a"b'), (page, next) => {
      const casts = HASHES.flatMap((hash) => plainCast(hash, page) ?? []);
      const list = { casts, next: { cursor: next } };
      const hashes = { hashes: HASHES, next };
      expectView(FeedResponse, page.dialect, viewFeed(hashes, page), list);
      expectView(CastsSearchResponse, page.dialect, viewCastSearch(hashes, page), { result: list });
      expectView(CastsResponse, page.dialect, viewCasts(HASHES, page), { result: { casts } });
      const [hash] = HASHES as [string];
      const cast = plainCast(hash, page);
      if (cast === undefined) expect(() => viewCastResponse(hash, page)).toThrow(`cast 0x${hash} cannot be shown`);
      else expectView(CastResponse, page.dialect, viewCastResponse(hash, page), { cast });
    }),
    { numRuns: rounds(100) },
  );
});

test('a conversation holds replies below what they answer, without those that are not stored', () => {
  const [top, left, right, below, before] = HASHES as [string, string, string, string, string];
  const tree = {
    hash: top,
    replies: new Map([
      [top, [left, right]],
      [right, [below]],
    ]),
  };
  fc.assert(
    fc.property(arbitraryPage, fc.boolean(), fc.constantFrom(null, 'c'), (page, withAncestors, next) => {
      const branch = (hash: string): object[] => {
        const cast = plainCast(hash, page);
        return cast === undefined ? [] : [{ ...cast, direct_replies: (tree.replies.get(hash) ?? []).flatMap(branch) }];
      };
      const ancestors = withAncestors ? [before] : undefined;
      const [cast] = branch(top);
      const view = () => viewConversation({ ...tree, ancestors, next }, page);
      if (cast === undefined) return void expect(view).toThrow('cannot be shown');
      const chronological_parent_casts = ancestors?.flatMap((hash) => plainCast(hash, page) ?? []);
      const conversation = { cast, chronological_parent_casts };
      expectView(Conversation, page.dialect, view(), { conversation, next: { cursor: next } });
    }),
    { numRuns: rounds(200) },
  );
});
