import Type from 'typebox';
import { ask, type Call } from '../call.js';
import { channelId, fid, hash, input, optional, signerUuid, text } from '../input.js';
import { withinBudget } from '../result.js';
import { writeTool } from '../tool.js';

const castText = text(10_000, 'What the cast says; @name mentions an account. 320 bytes are a normal cast.');

const urls = Type.Array(text(256, 'A web address.'), {
  maxItems: 2,
  description: 'Web addresses to show with the text: at most two, a quoted cast included.',
});

const quote = Type.Object(
  { fid: fid('Author of the cast.'), hash: hash('Hash of the cast.') },
  { additionalProperties: false, description: 'A cast to show with the text.' },
);

const idem = text(
  64,
  'Send the same one when repeating a call whose outcome is not known: the cast is published once.',
);

interface Content {
  readonly signer_uuid: string;
  readonly text: string;
  readonly urls?: readonly string[];
  readonly quote?: { readonly fid: number; readonly hash: string };
  readonly idem?: string;
}

const publish = async (call: Call, content: Content, place: object): Promise<string> => {
  const { signer_uuid, text: said, urls: links = [], quote: quoted, idem: key } = content;
  const embeds = [...links.map((url) => ({ url })), ...(quoted ? [{ cast_id: quoted }] : [])];
  const body = {
    signer_uuid,
    text: said,
    ...(embeds.length > 0 && { embeds }),
    ...(key !== undefined && { idem: key }),
    ...place,
  };
  const { cast } = await ask<{ cast: { hash: string; author: { fid: number }; text: string } }>(call, {
    method: 'POST',
    path: '/v2/social/cast/',
    body,
  });
  const view = { hash: cast.hash, author_fid: cast.author.fid };
  return withinBudget(`Published as ${cast.hash}.`, (cut) => ({ ...view, text: cut(cast.text) })) as string;
};

export const publishCast = writeTool({
  name: 'publish_cast',
  title: 'Publish a cast',
  description:
    'Publish a cast in the name of the account of the signer, for everybody to see. Show the user the exact text first. reply_to_cast answers a cast.',
  destructive: false,
  idempotent: false,
  input: input({
    signer_uuid: signerUuid,
    text: castText,
    channel_id: optional(channelId),
    urls: optional(urls),
    quote: optional(quote),
    idem: optional(idem),
  }),
  run: ({ channel_id, ...content }, call) => publish(call, content, channel_id === undefined ? {} : { channel_id }),
});

export const replyToCast = writeTool({
  name: 'reply_to_cast',
  title: 'Reply to a cast',
  description:
    'Publish a reply to a cast in the name of the account of the signer, for everybody to see. Show the user the exact text first.',
  destructive: false,
  idempotent: false,
  input: input({
    signer_uuid: signerUuid,
    cast: hash('The cast that is answered.'),
    text: castText,
    urls: optional(urls),
    quote: optional(quote),
    idem: optional(idem),
  }),
  run: ({ cast, ...content }, call) => publish(call, content, { parent: cast }),
});

export const deleteCast = writeTool({
  name: 'delete_cast',
  title: 'Delete a cast',
  description: 'Delete a cast of the account of the signer, for good. Ask the user first.',
  destructive: true,
  idempotent: true,
  input: input({ signer_uuid: signerUuid, cast: hash('The cast that is deleted.') }),
  run: async ({ signer_uuid, cast }, call) => {
    await ask(call, { method: 'DELETE', path: '/v2/social/cast/', body: { signer_uuid, target_hash: cast } });
    return `Deleted ${cast}.`;
  },
});
