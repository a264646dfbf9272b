import { join } from 'node:path';
import { FarcasterNetwork, MessageData, MessageType } from '@farcaster/core';
import { toHex } from '../../src/hex.js';
import { openFileWriter } from '../../src/ingest/file/write.js';
import { channelIdOf, channelUrl } from '../../src/protocol/channel/identity.js';
import { messageToPackageJson } from '../../src/protocol/hub-json/package-json.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { decodeMessage } from '../../src/protocol/wire/decode.js';
import { decodeEnvelope } from '../../src/protocol/wire/envelope.js';
import { encodeByteString } from '../../src/protocol/wire/wire.js';
import { author, SAMPLE_SEED } from '../../src/sample/author.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import { type Signed, signed } from '../../src/sample/signed-message.js';
import { EXAMPLE_HASH } from '../../src/schema/example.js';
import { channelMessage, channelRegistration, wireOf } from '../../test/support/channel-message.js';
import { REGISTRAR } from '../../test/support/protocol-channel.js';
import { once, type Recipes } from './recipe.js';
import type { Answer, SampleService } from './sample-service.js';

const KEY = 'gardens';
const CHANNEL = toHex(channelIdOf(KEY));
const URL = channelUrl(REGISTRAR, channelIdOf(KEY));
/** What an action of a message about members is called by its number. */
const ACTION = { add: 1, addModerator: 3 } as const;
const HIDE = 1;

const rootHash = new Uint8Array(Buffer.from(EXAMPLE_HASH.root.slice(2), 'hex'));
/** Seconds of the protocol, each later than the one before. */
const clock = (() => {
  let at = fromUnixMs(Date.now()) - 60;
  return () => ++at;
})();

/** Messages and reads that hubs have besides those of the sample: signed bytes, and channels of the protocol. */
export const hubRecipes = ({ send, run, operations, folder }: SampleService): Recipes => {
  const harbor = author({ seed: SAMPLE_SEED, fid: 1 });
  const cast = (text: string): Signed => harbor.cast({ text, at: clock() });

  /** Account 1 registers a channel; account 2 joins and moderates it, and account 3 follows it. */
  const channel = once(async () => {
    const id = channelIdOf(KEY);
    const about = (fid: number, type: number, body: Uint8Array): Signed =>
      channelMessage(
        { seed: SAMPLE_SEED, fid, at: clock() },
        type,
        new Uint8Array(Buffer.concat([wireOf({ 1: id }), body])),
      );
    const owner = harbor.wallet(1);
    const messages = [
      await harbor.verifyEthereum(owner, clock()),
      about(1, 18, wireOf({ 2: 'Gardens', 3: 'What grows where.', 4: 'https://gardens.example/icon.png', 7: 1, 8: 1 })),
      about(1, 19, wireOf({ 2: 2, 3: ACTION.addModerator })),
      about(3, 19, wireOf({ 2: 3, 3: ACTION.add })),
      author({ seed: SAMPLE_SEED, fid: 3 }).react('like', URL, clock()),
      harbor.react('like', URL, clock()),
      about(2, 20, wireOf({ 2: rootHash })),
      about(2, 21, wireOf({ 2: new Uint8Array(20).fill(4), 3: HIDE })),
    ];
    const file = join(folder, 'channel.ndjson');
    const writer = openFileWriter(file, 'json');
    const registered = channelRegistration({ key: KEY, owner: owner.address, label: 'Gardens' });
    for (const item of [registered, ...messages.map((message) => message.item)]) await writer.write(item as never);
    await writer.close();
    await run('import', file);
  });
  const ofChannel =
    (id: string, query: Record<string, string> = {}) =>
    async (): Promise<Answer> => {
      await channel();
      return send(id, { query: { ...(id === 'hub-lookup-channel-owner' ? {} : { channelId: CHANNEL }), ...query } });
    };
  const byChannel = operations
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'channelId'))
    .map(({ id }): [string, () => Promise<Answer>] => [id, ofChannel(id)]);

  return {
    ...Object.fromEntries(byChannel),
    'hub-fetch-channel-members': ofChannel('hub-fetch-channel-members'),
    'hub-fetch-reactions-by-target': async () => {
      await channel();
      return send('hub-fetch-reactions-by-target', { query: { url: URL } });
    },
    'hub-lookup-channel-member': ofChannel('hub-lookup-channel-member', { fid: '2' }),
    'hub-lookup-channel-owner': ofChannel('hub-lookup-channel-owner', { channel_key: KEY }),
    'hub-fetch-channel-follows': ofChannel('hub-fetch-channel-follows'),
    'hub-fetch-channel-memberships-by-fid': ofChannel('hub-fetch-channel-memberships-by-fid', { fid: '2' }),
    'hub-fetch-channels-by-fid': ofChannel('hub-fetch-channels-by-fid'),
    'hub-fetch-channels-by-address': ofChannel('hub-fetch-channels-by-address', {
      address: toHex(harbor.wallet(1).address),
    }),
    'hub-publish-message': () => send('hub-publish-message', { body: cast('Straight to the hub. ⚓').wire }),
    'hub-publish-messages': () => {
      const wires = ['One of two.', 'Two of two.'].map((text) => encodeByteString(1, cast(text).wire));
      return send('hub-publish-messages', { body: Buffer.concat(wires) });
    },
    'hub-validate-message': () => send('hub-validate-message', { body: cast('Only to be checked.').wire }),
    'hub-lookup-signer': () => send('hub-lookup-signer', { query: { fid: '1', signer: toHex(harbor.signer) } }),
    'publish-message-to-social': () => {
      const { wire } = cast('Signed elsewhere.');
      const body = messageToPackageJson(decodeMessage(decodeEnvelope(wire)));
      return send('publish-message-to-social', { body });
    },
    'validate-frame-action': () => {
      const frameActionBody = {
        url: Buffer.from('https://frame.example/start'),
        buttonIndex: 1,
        inputText: Buffer.from('Two tickets'),
        castId: { fid: 1, hash: rootHash },
        state: new Uint8Array(),
        transactionId: new Uint8Array(),
        address: new Uint8Array(),
      };
      const data = { type: MessageType.FRAME_ACTION, fid: 1, timestamp: clock(), network: FarcasterNetwork.DEVNET };
      const key = signerKey(derive(SAMPLE_SEED, 'signer', 1, 0));
      const { wire } = signed(MessageData.create({ ...data, frameActionBody }), key);
      return send('validate-frame-action', { body: { message_bytes_in_hex: Buffer.from(wire).toString('hex') } });
    },
  };
};
