// A frame made with frog, unmodified: its middleware reads the cast and who pressed, and its hubs verify the message.
import { Frog } from 'frog';
import { neynar as vendorHub } from 'frog/hubs';
import { neynar } from 'frog/middlewares';
import { outcomes } from '../outcome.mjs';

const { apiKey, url, message, forged, frameUrl } = JSON.parse(process.env.INPUT);

/** @returns what a frame with this hub sees when its button is pressed, or why it refuses */
const press = async (hub, messageBytes, key = apiKey) => {
  let seen;
  let refused;
  const app = new Frog({ hub, title: 'A frame', verify: true });
  app.use(neynar({ apiKey: key, features: ['interactor', 'cast'] }));
  app.hono.onError((error, context) => {
    refused = error.message;
    return context.text('', 500);
  });
  app.frame('/', (context) => {
    const { frameData, verified, var: found } = context;
    seen = { verified, buttonIndex: frameData?.buttonIndex, fid: frameData?.fid, ...found };
    return context.res({ image: 'https://frame.example/picture.png' });
  });
  const { status } = await app.fetch(
    new Request(frameUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ trustedData: { messageBytes }, untrustedData: { url: frameUrl } }),
    }),
  );
  return { status, seen, refused };
};

const ofVendor = vendorHub({ apiKey });
const ofService = { apiUrl: url, fetchOptions: { headers: { 'x-api-key': apiKey } } };
console.log(
  JSON.stringify(
    await outcomes([], {
      vendorHub: () => press(ofVendor, message),
      vendorHubForged: () => press(ofVendor, forged),
      serviceHub: () => press(ofService, message),
      serviceHubForged: () => press(ofService, forged),
      wrongKey: () => press(ofVendor, message, 'wrong'),
    }),
  ),
);
