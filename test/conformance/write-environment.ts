import { ed25519 } from '@noble/curves/ed25519';
import type { Hex } from 'viem';
import { fromUnixMs } from '../../src/protocol/time.js';
import type { Signed } from '../../src/sample/signed-message.js';
import type { KeyRequester } from '../../src/sample/verification-claim.js';
import { type MiniApp, startMiniApp } from '../support/mini-app.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { FIDS } from '../support/seed.js';
import { addKey, approvedSigner, registerAccount, secondsAhead, signKeyRequest } from '../support/signer.js';
import { type Environment, startEnvironment } from './environment.js';
import { hex } from './page.js';

export const APP_FID = 8_000;
const MINI_APP_OWNER = 8_001;
/** Keeps the key that signs for it. */
export const SELF_SIGNER = 8_100;
const SELF_KEY = new Uint8Array(32).fill(9);

/** The service with everything that writing needs: signers, apps, targets. */
export interface WriteEnvironment extends Environment {
  /** Managed signers' uuids, by the account that approved them. */
  readonly signers: Record<'alice' | 'bob' | 'carol' | 'dan', string>;
  /** Custody wallet of the app's account. */
  readonly custody: KeyRequester['wallet'];
  /** Private key of `SELF_SIGNER`, which the service never saw. */
  readonly selfKey: Uint8Array;
  readonly miniApp: MiniApp;
  /** Another app's server, which takes actions. */
  readonly target: Receiver;
  /** What the app's account signs to ask for a key. */
  keyRequest(key: Uint8Array): Promise<{ appFid: number; deadline: number; signature: Hex }>;
}

/** @param start makes the network; a plain one unless given */
export const startWriteEnvironment = async (
  start?: Parameters<typeof startEnvironment>[0],
): Promise<WriteEnvironment> => {
  const environment = await startEnvironment(start);
  const { network, seeded } = environment;
  await network.load([seeded.carol.buyPro(365), await seeded.carol.fnameProof('caroline')]);
  const uuidOf = async (name: 'alice' | 'bob' | 'carol' | 'dan') => (await approvedSigner(network, seeded[name])).uuid;
  const signers = {
    alice: await uuidOf('alice'),
    bob: await uuidOf('bob'),
    carol: await uuidOf('carol'),
    dan: await uuidOf('dan'),
  };
  const custody = await registerAccount(network, APP_FID);
  await network.sql('update app set fid = $1 where id = (select app_id from api_key order by created_at limit 1)', [
    APP_FID,
  ]);
  await registerAccount(network, SELF_SIGNER);
  await addKey(network, SELF_SIGNER, ed25519.getPublicKey(SELF_KEY), { requestFid: APP_FID });
  const miniApp = await startMiniApp(network, MINI_APP_OWNER);
  const target = await startReceiver((_, response) => void response.end('{"done":true}'));
  return {
    ...environment,
    signers,
    custody,
    selfKey: SELF_KEY,
    miniApp,
    target,
    keyRequest: async (key) => {
      const deadline = secondsAhead(3600);
      return {
        appFid: APP_FID,
        deadline,
        signature: await signKeyRequest(custody, { app_fid: APP_FID, deadline, key }),
      };
    },
    stop: async () => {
      await Promise.all([miniApp.stop(), target.stop()]);
      await environment.stop();
    },
  };
};

/** As late as a message may be dated, in seconds from now. */
const NEAR_DEADLINE = 590;

/**
 * Writes one thing and its contrary faster than the clock, from a message on that is dated as late as it may be, until
 * the next one had to be dated later than hubs allow.
 *
 * @param make the message of that date
 * @param write must be answered 409 in the end, which its client throws
 * @param undo what lets `write` say something new
 */
export const untilClockSkewLimit = async (
  { network }: WriteEnvironment,
  make: (at: number) => Signed | Promise<Signed>,
  write: (turn: number) => Promise<unknown>,
  undo: () => Promise<unknown> = async () => undefined,
): Promise<void> => {
  const message = await make(fromUnixMs(Date.now()) + NEAR_DEADLINE);
  await network.load([message.item]);
  for (let turn = 0; turn < 2000; turn++) {
    await write(turn);
    await undo().catch(() => undefined);
  }
};

/** Of a seeded cast of alice. */
export const castOf = ({ seeded }: WriteEnvironment): string => hex(seeded.casts.hello.hash);
export const NO_SIGNER = '00000000-0000-4000-8000-000000000000';
export const { alice: ALICE, bob: BOB, carol: CAROL, dan: DAN, erin: ERIN, grace: GRACE, heidi: HEIDI } = FIDS;
