// Calls all actions of the Farcaster part of @coinbase/agentkit, unmodified.
import { createRequire } from 'node:module';
import { outcomes } from '../outcome.mjs';

const { apiKey, signer, fid, embed } = JSON.parse(process.env.INPUT);
// Not the whole package, whose other parts load 1 GB of packages that package.json leaves out.
const folder = new URL('node_modules/@coinbase/agentkit/dist/action-providers/farcaster/', import.meta.url);
const { farcasterActionProvider } = createRequire(folder)('./farcasterActionProvider.js');
const provider = farcasterActionProvider({ neynarApiKey: apiKey, signerUuid: signer, agentFid: `${fid}` });

// It counts its uses at a host of its maker, which is no business of the vendor: nothing is sent there.
const send = globalThis.fetch;
globalThis.fetch = (url, options) =>
  `${url}`.startsWith('https://cca-lite.coinbase.com') ? Promise.resolve(Response.json({})) : send(url, options);

const wallet = { getName: () => 'none', getNetwork: () => ({ protocolFamily: 'evm', networkId: 'none' }) };
const actions = provider.getActions(wallet);
/** An agent calls an action by its name and reads a text, which ends in JSON when all went well. */
const invoke = async (name, args = {}) => {
  const text = await actions.find((one) => one.name.endsWith(name)).invoke(args);
  if (!text.startsWith('Successfully')) throw new Error(text);
  return JSON.parse(text.slice(text.indexOf('\n')));
};

const calls = {
  account_details: () => invoke('account_details'),
  post_cast: () => invoke('post_cast', { castText: 'Posted by an agent', embeds: [{ url: embed }] }),
};
const names = actions.map(({ name }) => name.replace(/^.*?_/, ''));
console.log(JSON.stringify(await outcomes(names, calls)));
