import { ask, type Call, CallError, read } from '../call.js';
import { choice, cursor, fid, hash, input, limit, optional } from '../input.js';
import { type Cut, listResult, type Page } from '../result.js';
import { readTool } from '../tool.js';

/** A message in the JSON of hubs. */
interface HubMessage {
  readonly hash: string;
  readonly signer: string;
  readonly signature: string;
  readonly data?: { readonly type: string; readonly fid: number; readonly timestamp: number; readonly network: string };
}

interface Checked {
  readonly message: HubMessage;
  /** Whether hash, signature and content are right; a text says why that is not known. */
  readonly valid: boolean | string;
}

const LISTS = {
  casts: { path: '/v1/castsByFid' },
  likes: { path: '/v1/reactionsByFid', more: { reaction_type: 'Like' } },
  recasts: { path: '/v1/reactionsByFid', more: { reaction_type: 'Recast' } },
  links: { path: '/v1/linksByFid' },
  verifications: { path: '/v1/verificationsByFid' },
  user_data: { path: '/v1/userDataByFid' },
} as const;

/** Sends a message in its binary form to be checked: hash, signature and the rules of its kind. */
const check = async (call: Call, message: HubMessage): Promise<Checked> => {
  const { messageFromJson } = await import('../../protocol/hub-json/message-read.js');
  try {
    const body = messageFromJson(message);
    const { valid } = await ask<{ valid: boolean }>(call, { method: 'POST', path: '/v1/validateMessage', body });
    return { message, valid };
  } catch (error) {
    // Bad JSON of a message, or a refusal, says something about this message alone.
    if (error instanceof Error) return { message, valid: error.message.slice(0, 200) };
    throw error;
  }
};

const viewMessage = ({ message, valid }: Checked, cut: Cut) => {
  const { hash: id, signer, signature, data } = message;
  const { type, fid: account, timestamp, network, ...body } = data ?? ({} as NonNullable<HubMessage['data']>);
  return {
    valid,
    ...{ hash: id, signer, signature, type, fid: account, timestamp, network },
    body: cut(JSON.stringify(body)),
  };
};

export const readMessages = readTool({
  name: 'read_messages',
  title: 'Read raw messages',
  description:
    'Read the signed messages of the protocol behind the casts, reactions, follows (links), verified addresses or profile of a person, newest first, or of one cast by its hash. valid says whether hash, signature and content are right. timestamp is in seconds since 2021-01-01 UTC. Costly: use other tools for what people wrote.',
  input: input({
    fid: fid('The author.'),
    kind: choice(['casts', 'likes', 'recasts', 'links', 'verifications', 'user_data'], 'What the messages are about.'),
    cast: optional(hash('Reads this cast alone; kind is casts then.')),
    limit: optional(limit(5, 3)),
    cursor: optional(cursor),
  }),
  run: ({ fid: account, kind, cast, limit: most = 3, cursor: after }, call) => {
    if (cast !== undefined && kind !== 'casts') throw new CallError(400, 'InvalidField', 'cast needs the kind casts.');
    const load = async (pageSize: number): Promise<Page<Checked>> => {
      if (cast !== undefined) {
        const message = await read<HubMessage>(call, '/v1/castById', { fid: account, hash: cast });
        return { items: [await check(call, message)], cursor: null };
      }
      const { path, ...rest } = LISTS[kind];
      const query = { fid: account, ...('more' in rest ? rest.more : {}), pageSize, reverse: true, pageToken: after };
      const { messages, nextPageToken } = await read<{ messages: HubMessage[]; nextPageToken?: string }>(
        call,
        path,
        query,
      );
      const items = await Promise.all(messages.map((message) => check(call, message)));
      return { items, cursor: nextPageToken || null };
    };
    return listResult({ load, limit: most, view: viewMessage, what: 'messages' });
  },
});
