// Parses events of a host with @farcaster/miniapp-node, unmodified, in each of the ways that it has to look up the key.
import { createVerifyAppKeyWithHub, parseWebhookEvent, verifyAppKeyWithNeynar } from '@farcaster/miniapp-node';
import { outcomes } from './outcome.mjs';

const { url, apiKey, events } = JSON.parse(process.env.INPUT);
const parse = (verify) => () => Promise.all(events.map((event) => parseWebhookEvent(event, verify)));

console.log(
  JSON.stringify(
    await outcomes([], {
      verifyAppKeyWithNeynar: parse(verifyAppKeyWithNeynar),
      hubWithKey: parse(createVerifyAppKeyWithHub(url, { headers: { 'x-api-key': apiKey } })),
      hubWithoutKey: parse(createVerifyAppKeyWithHub(url)),
    }),
  ),
);
