import { compact, encodeHeader, encodePayload, encodeSignature } from '@farcaster/jfs';
import { ed25519 } from '@noble/curves/ed25519';
import { expect } from 'vitest';
import { fromUnixMs } from '../../src/protocol/time.js';
import { startReceiver } from '../support/receiver.js';
import { secondsAhead } from '../support/signer.js';
import { type Case, casesOf } from './case.js';
import { ALICE, NO_SIGNER, SELF_SIGNER, type WriteEnvironment } from './write-environment.js';

/** What a user signs with the key that stays with the user. */
const signed = ({ selfKey }: WriteEnvironment, payload: object): string => {
  const key = `0x${Buffer.from(ed25519.getPublicKey(selfKey)).toString('hex')}` as const;
  const header = encodeHeader({ fid: SELF_SIGNER, type: 'app_key', key });
  const body = encodePayload(payload);
  return compact({
    header,
    payload: body,
    signature: encodeSignature(ed25519.sign(Buffer.from(`${header}.${body}`), selfKey)),
  });
};

const EVENT_PATH = '/v2/farcaster/app_host/user/event/';

/** What apps, and hosts of apps, do for their users. */
export const appCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'fetch-embedded-url-metadata',
    does: 'reads what a page says about itself',
    call: ({ api }, { target }) => api.fetchEmbeddedUrlMetadata({ url: target.url }),
    look: async ({ api }) => {
      const page = await startReceiver((_, response) => {
        const head = '<head><title>Seeds</title><meta property="og:image" content="/a.png"></head>';
        response.setHeader('content-type', 'text/html').end(head);
      });
      const { metadata } = await api.fetchEmbeddedUrlMetadata({ url: `${page.url}/seeds` });
      await page.stop();
      expect(metadata).toMatchObject({
        _status: 'RESOLVED',
        content_type: 'text/html',
        html: { ogTitle: 'Seeds', ogImage: [{ url: `${page.url}/a.png` }] },
      });
    },
    errors: { 400: ({ api }) => api.fetchEmbeddedUrlMetadata({ url: 'http://10.0.0.1/' }) },
  },
  {
    id: 'mark-notifications-as-seen',
    does: 'marks one kind for a signer, and all for who signed a token',
    call: ({ api }, { signers }) => api.markNotificationsAsSeen({ signerUuid: signers.alice }),
    look: async ({ api, plain }, environment) => {
      const { signers, seeded, clients } = environment;
      await seeded.send(seeded.dan.cast({ text: ['psst ', ALICE], at: fromUnixMs(Date.now()) }));
      const unseen = async () => (await api.fetchAllNotifications({ fid: ALICE })).unseen_notifications_count;
      expect(await unseen()).toBe(1);
      await api.markNotificationsAsSeen({ signerUuid: signers.alice, type: 'likes' });
      expect(await unseen()).toBe(1);
      await api.markNotificationsAsSeen({ signerUuid: signers.alice, type: 'mentions' });
      expect(await unseen()).toBe(0);
      await plain('POST', '/v2/farcaster/notifications/seen/', { signer_uuid: signers.alice, fid: ALICE });
      const token = signed(environment, { exp: secondsAhead(300) });
      await clients(undefined, { authorization: `Bearer ${token}` }).api.markNotificationsAsSeen({});
    },
  },
  {
    id: 'publish-social-action',
    does: 'hands an action on to another app, and its answer back',
    call: ({ api }, { signers, target }) =>
      api.publishFarcasterAction({ signerUuid: signers.alice, baseUrl: target.url, action: { type: 'post' } }),
    look: async ({ api }, { signers, target }) => {
      const action = { type: 'post', payload: { title: 'Grüße 🌍' } };
      const answer = await api.publishFarcasterAction({ signerUuid: signers.alice, baseUrl: target.url, action });
      expect(answer).toEqual({ done: true });
      expect(JSON.parse(target.received.at(-1)?.body ?? '')).toEqual({ action });
    },
    errors: {
      404: ({ api }, { target }) =>
        api.publishFarcasterAction({ signerUuid: NO_SIGNER, baseUrl: target.url, action: { type: 'post' } }),
      502: async ({ api }, { signers }) => {
        const broken = await startReceiver((_, response) => void response.writeHead(500).end('{}'));
        const asked = { signerUuid: signers.alice, baseUrl: broken.url, action: { type: 'post' } };
        await api.publishFarcasterAction(asked).finally(() => broken.stop());
      },
    },
  },
  {
    id: 'app-host-get-event',
    does: 'builds the event that a host signs itself',
    call: ({ api }, { miniApp }) =>
      api.appHostGetEvent({ appDomain: miniApp.domain, fid: ALICE, event: 'frame_added' }),
    look: async ({ api }, { miniApp }) => {
      const event = 'notifications_enabled';
      const built = await api.appHostGetEvent({ appDomain: miniApp.domain, fid: ALICE, event });
      expect(built).toMatchObject({
        event,
        notificationDetails: { url: expect.stringContaining('/v2/farcaster/app_host/notify/') },
      });
    },
    beyond: { 404: 'The event is built from the request alone, whoever the user and whatever the domain is.' },
  },
  {
    id: 'app-host-post-event',
    does: 'delivers events that the host or the service signed',
    call: ({ plain }, { miniApp, signers }) =>
      plain('POST', EVENT_PATH, {
        app_domain: miniApp.domain,
        event: 'notifications_disabled',
        fid: ALICE,
        signer_uuid: signers.alice,
      }),
    look: async ({ api, plain }, environment) => {
      const { domain: app_domain, heard } = environment.miniApp;
      const { signers, miniApp } = environment;
      await plain('POST', EVENT_PATH, {
        app_domain,
        event: 'notifications_enabled',
        fid: ALICE,
        signer_uuid: signers.alice,
      });
      expect(heard.at(-1)).toMatchObject({ fid: ALICE, event: { event: 'notifications_enabled' } });
      const event = 'notifications_enabled';
      const built = await api.appHostGetEvent({ appDomain: miniApp.domain, fid: SELF_SIGNER, event });
      await plain('POST', EVENT_PATH, { app_domain, signed_message: signed(environment, built) });
      expect(heard.at(-1)).toMatchObject({ fid: SELF_SIGNER, event: { event } });
    },
    errors: {
      404: ({ plain }, { miniApp }) =>
        plain('POST', EVENT_PATH, {
          app_domain: miniApp.domain,
          event: 'notifications_disabled',
          fid: ALICE,
          signer_uuid: NO_SIGNER,
        }),
      502: async ({ plain }, { miniApp, signers }) => {
        const { answer } = miniApp;
        miniApp.answer = (response) => void response.writeHead(500).end();
        await plain('POST', EVENT_PATH, {
          app_domain: miniApp.domain,
          event: 'notifications_disabled',
          fid: ALICE,
          signer_uuid: signers.alice,
        });
        miniApp.answer = answer;
      },
    },
  },
  {
    id: 'app-host-get-user-state',
    does: 'lists the apps that may notify a user',
    call: ({ api }) => api.appHostGetUserState({ fid: SELF_SIGNER }),
    look: async ({ api }, { miniApp }) => {
      const { notifications_enabled: enabled } = await api.appHostGetUserState({ fid: SELF_SIGNER });
      expect(enabled.map(({ domain }) => domain)).toEqual([miniApp.domain]);
    },
    beyond: { 404: 'A user whom nobody knows has no apps.' },
  },
);
