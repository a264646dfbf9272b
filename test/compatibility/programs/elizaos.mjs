// Calls what @elizaos/plugin-farcaster, unmodified, asks the vendor for: its client, and the services that agents use.
import plugin from '@elizaos/plugin-farcaster';
import { outcomes } from '../outcome.mjs';

const { apiKey, signer, fid, cast, other } = JSON.parse(process.env.INPUT);
const settings = {
  FARCASTER_FID: `${fid}`,
  FARCASTER_SIGNER_UUID: signer,
  FARCASTER_NEYNAR_API_KEY: apiKey,
  FARCASTER_MODE: 'webhook',
  ENABLE_CAST: 'false',
};
const complaints = [];
const log = new Proxy(
  {},
  {
    get:
      (_, level) =>
      (...args) =>
        level === 'error' && complaints.push(JSON.stringify(args)),
  },
);
/** What the plugin uses of an agent. */
const runtime = {
  agentId: '00000000-0000-4000-8000-000000000001',
  character: { name: 'agent' },
  logger: log,
  getSetting: (name) => settings[name],
  emitEvent: () => undefined,
  storeMemory: () => undefined,
  getService: () => undefined,
};
const { agentId } = runtime;

const [Service] = plugin.services;
const service = await Service.start(runtime);
const { client } = service.getActiveManagers().get(agentId);
const casts = service.getCastService(agentId);
const messages = service.getMessageService(agentId);
const roomId = '00000000-0000-4000-8000-000000000002';
// Of the vendor each time, not of the plugin's cache.
const fresh = (call) => () => {
  client.clearCache();
  return call();
};

const calls = {
  sendCast: fresh(() =>
    client.sendCast({ content: { text: 'Written by an agent' }, inReplyTo: { hash: cast, fid: other } }),
  ),
  publishCast: fresh(() => client.publishCast('Published by an agent')),
  getCast: fresh(() => client.getCast(cast)),
  getMentions: fresh(() => client.getMentions({ fid: other, pageSize: 10 })),
  getProfile: fresh(() => client.getProfile(other)),
  getTimeline: fresh(() => client.getTimeline({ fid: other, pageSize: 2 })),
  clearCache: () => client.clearCache(),
  healthCheck: fresh(() => service.healthCheck()),
  'casts.createCast': fresh(() => casts.createCast({ agentId, roomId, text: 'Created by an agent' })),
  'casts.getCasts': fresh(() => casts.getCasts({ agentId, limit: 10 })),
  'casts.getMentions': fresh(() => casts.getMentions({ agentId, limit: 2 })),
  'messages.sendMessage': fresh(() =>
    messages.sendMessage({ agentId, roomId, text: 'Sent by an agent', type: 'CAST' }),
  ),
  'messages.getMessages': fresh(() => messages.getMessages({ agentId, limit: 10 })),
  'messages.getMessage': fresh(() => messages.getMessage(cast, agentId)),
  'messages.getThread': fresh(() => messages.getThread({ castHash: cast, agentId })),
};
const methods = Object.getOwnPropertyNames(client.constructor.prototype).filter((name) => name !== 'constructor');
const made = await outcomes(methods, calls);
await Service.stop(runtime);
// The services write down what went wrong, and return nothing.
if (complaints.length > 0) made.complaints = { error: complaints.join('\n') };
console.log(JSON.stringify(made));
