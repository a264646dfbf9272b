import { FarcasterNetwork, Message, MessageData, MessageType } from '@farcaster/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../src/hex.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import { signed } from '../../src/sample/signed-message.js';
import { type Network, startNetwork } from '../support/network.js';
import { FIDS, SEED, type Seeded, seedBasics } from '../support/seed.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';
import { runProgram } from './run-program.js';

const FRAME_URL = 'https://frame.example/';

describe.skipIf(withoutPrograms)('frames of frog', () => {
  let network: Network;
  let seeded: Seeded;
  beforeAll(async () => {
    requirePrograms();
    network = await startNetwork();
    seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  });
  afterAll(() => network?.stop());

  /** @returns the message with which bob presses the second button of a frame in alice's cast */
  const pressed = (): Uint8Array => {
    const { bob, alice, casts, clock } = seeded;
    const data = MessageData.create({
      type: MessageType.FRAME_ACTION,
      fid: bob.fid,
      timestamp: clock.tick(),
      network: FarcasterNetwork.DEVNET,
      frameActionBody: {
        url: Buffer.from(FRAME_URL),
        buttonIndex: 2,
        castId: { fid: alice.fid, hash: casts.hello.hash },
      },
    });
    const { wire } = signed(data, signerKey(derive(SEED, 'signer', bob.fid, 0)));
    // Clients send the data of a frame's message itself, not its bytes; frog reads nothing else.
    return Message.encode({ ...Message.decode(wire), data, dataBytes: undefined }).finish();
  };

  test('the middleware reads the cast and who pressed, and both hubs verify the message', async () => {
    const message = pressed();
    const forged = Uint8Array.from(message);
    forged[forged.length - 40] = (forged.at(-40) as number) ^ 1;
    const made = await runProgram('programs/frog.mjs', network.url, {
      apiKey: network.apiKey,
      url: network.url,
      message: Buffer.from(message).toString('hex'),
      forged: Buffer.from(forged).toString('hex'),
      frameUrl: FRAME_URL,
    });
    const cast = { hash: toHex(seeded.casts.hello.hash), author: { fid: FIDS.alice, username: 'alice' } };
    const interactor = { fid: FIDS.bob, username: 'bob', displayName: 'Bob' };
    const seen = { verified: true, buttonIndex: 2, fid: FIDS.bob, cast, interactor };
    const refused = { status: 500, refused: expect.stringMatching(/^message is invalid\. \S/) };
    expect(made).toMatchObject({
      vendorHub: { value: { status: 200, seen } },
      vendorHubForged: { value: refused },
      serviceHub: { value: { status: 200, seen } },
      serviceHubForged: { value: refused },
      // The middleware looks at no status: it misses the users in the answer, and the frame is a page of an error.
      wrongKey: { value: { status: 500 } },
    });
    const calls = { 'middleware neynar': true, 'hub neynar': true, 'hub of the service': true };
    recordRun('frog', calls);
  });
});
