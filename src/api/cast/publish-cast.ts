import type { CastAddBody } from '@farcaster/core';
import type { Static } from 'typebox';
import { afterCommit } from '../../db/commit-outcome.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { PostCastReqBody, PostCastResponse } from '../../schema/social/cast-write.js';
import { selectAccounts, selectFidsByUsername } from '../../store/query/account.js';
import { viewPublishedCast } from '../../view/cast-published.js';
import { checkCastAllowed, draftCast } from '../../write/cast.js';
import { idempotent } from '../../write/idempotency.js';
import type { Draft } from '../../write/unsigned-message.js';
import { operation } from '../http/operation.js';
import type { Services } from '../http/service.js';
import { readCastEmbeds } from './cast-embed.js';
import { extractMentions, mentionableNames } from './cast-mention.js';
import { readCastParent } from './cast-parent.js';

const ID = 'publish-cast';

const readCast = async (
  body: Static<typeof PostCastReqBody>,
  fid: number,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
): Promise<Draft> => {
  const { text = '', embeds = [] } = body;
  const names = mentionableNames(text);
  const fids = names.length === 0 ? new Map<string, number>() : await selectFidsByUsername(db, names);
  const draft = draftCast({
    text: extractMentions(text, fids),
    embeds: await readCastEmbeds(db, embeds),
    parent: await readCastParent(db, body),
  });
  await checkCastAllowed(draft, async () => {
    const [account] = await selectAccounts(db, [fid]);
    return (account?.proExpiresAt ?? 0) > clock();
  });
  return draft;
};

export const publishCast = operation({
  id: ID,
  method: 'POST',
  path: '/v2/social/cast/',
  tags: ['Cast'],
  title: 'Publish a cast',
  summary:
    'Publish a cast or a reply. @name in the text mentions the account of that name; names that nobody has stay text. ' +
    'Texts are counted in bytes of UTF-8 without mentioned names: 1024, or 10000 for pro accounts.',
  cost: { fixed: 150 },
  body: PostCastReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    text: 'Hello @lantern, sent from the reference.',
    channel_id: 'dev',
  },
  response: PostCastResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: async ({ body, caller }, { db, clock, signers, writer, reads }) => {
    const { appId } = caller;
    return idempotent({ db, clock }, { appId, operation: ID, idem: body.idem, body }, async (idempotencyRecord) => {
      const signer = await signers.use(appId, body.signer_uuid, 'PUBLISH_CAST');
      const draft = async () => readCast(body, signer.fid, { db, clock });
      const { hash, message } = await writer.write(signer, draft, { idempotencyRecord });
      // A retry resumes a message of the same operation, so it is always a cast.
      const published = message.castAddBody as CastAddBody;
      // Neutral names, because the stored response may be repeated in either dialect.
      const page = await afterCommit(() => hydrateUsers(reads.forDialect('neutral').open(), published.mentions));
      return viewPublishedCast(signer.fid, hash, published, page);
    });
  },
});
