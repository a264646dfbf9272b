import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { someone } from '../support/nft.js';
import { startReceiver } from '../support/receiver.js';
import { type Case, casesOf } from './case.js';
import { ofPayer, type PayEnvironment, withWallet } from './pay-environment.js';

const NO_WALLET = '00000000-0000-4000-8000-000000000000';
/** The smallest GIF. */
const ONE_PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const UNKNOWN_ADDRESS = someone(9);

/** A recipient; the client's type knows none without a member whose name has quotes in it. */
const to = (address: string, quantity = 1): never => ({ address, quantity }) as never;
const collectionNamed = (name: string) => ({ network: 'base' as const, name, symbol: 'GRDN' });
const red = (contract: string) => ({
  network: 'base' as const,
  contract_address: contract,
  tokens: [{ token_id: '1', metadata: { name: 'Red', image: 'https://garden.example/red.png' } }],
});

/** Collections and their tokens, paid from a wallet. */
export const nftCases: readonly Case<PayEnvironment>[] = casesOf<PayEnvironment>()(
  {
    id: 'deploy-erc721',
    does: 'deploys a collection, once for a key',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.deployErc721({ deployErc721Request: collectionNamed('Plain') }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      const deployErc721Request = {
        ...collectionNamed('Whole'),
        description: 'All of them',
        external_link: 'https://garden.example',
        image: 'https://garden.example/all.png',
        max_supply: 10,
        mint_config: { price_per_token: '0' },
        royalty_bps: 500,
        royalty_recipient: someone(1),
      };
      const first = await api.deployErc721({ deployErc721Request });
      expect(await api.deployErc721({ deployErc721Request })).toEqual(first);
      const { collection } = first as unknown as { collection: { address: `0x${string}` } };
      expect(await environment.nft.onChain(collection.address).name()).toBe('Whole');
    },
    errors: {
      403: (clients, { nft }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.deployErc721({
          deployErc721Request: collectionNamed('Foreign'),
        }),
      404: (clients) =>
        withWallet(clients, NO_WALLET).api.deployErc721({ deployErc721Request: collectionNamed('Nowhere') }),
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        await api.deployErc721({ deployErc721Request: collectionNamed('One') });
        return api.deployErc721({ deployErc721Request: collectionNamed('Another') });
      },
    },
    beyond: { 504: 'Only a chain that falls silent in between leaves it open: test/nft-endpoint.test.ts.' },
  },
  {
    id: 'simulate-nft-mint',
    does: 'tells what a mint would do',
    call: ({ api }, { collection }) =>
      api.simulateNftMint({
        recipients: JSON.stringify([{ address: someone(1) }]),
        nftContractAddress: collection,
        network: 'base',
      }),
    look: async ({ api }, { collection }) => {
      const simulations = await api.simulateNftMint({
        recipients: JSON.stringify([{ address: someone(1), quantity: 2 }]),
        nftContractAddress: collection,
        network: 'base',
      });
      expect(simulations).toHaveLength(1);
    },
    errors: {
      404: ({ api }) =>
        api.simulateNftMint({
          recipients: JSON.stringify([{ address: someone(1) }]),
          nftContractAddress: UNKNOWN_ADDRESS,
          network: 'base',
        }),
    },
  },
  {
    id: 'mint-nft',
    does: 'mints to recipients, at once and in its own time',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.mintNft({
        mintNftRequest: {
          network: 'base',
          contract_address: environment.collection,
          recipients: [to(someone(2))],
          async: true,
        },
      }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      await api.mintNft({
        mintNftRequest: {
          network: 'base',
          contract_address: environment.collection,
          recipients: [to(someone(3), 2)],
          async: false,
        },
      });
      const held = () => environment.nft.onChain(environment.collection).balanceOf([someone(3)]);
      await expect.poll(held).toBe(2n);
    },
    errors: {
      403: (clients, { nft, collection }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.mintNft({
          mintNftRequest: { network: 'base', contract_address: collection, recipients: [to(someone(4))] },
        }),
      404: (clients, environment) =>
        ofPayer(clients, environment).api.mintNft({
          mintNftRequest: { network: 'base', contract_address: UNKNOWN_ADDRESS, recipients: [to(someone(4))] },
        }),
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        const mint = (index: number) =>
          api.mintNft({
            mintNftRequest: {
              network: 'base',
              contract_address: environment.collection,
              recipients: [to(someone(index))],
            },
          });
        await mint(5);
        return mint(6);
      },
    },
  },
  {
    id: 'upload-token-metadata',
    does: 'keeps what a token looks like',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.uploadTokenMetadata({
        uploadTokenMetadataRequest: red(environment.collection),
      }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment);
      const answer = await api.uploadTokenMetadata({ uploadTokenMetadataRequest: red(environment.collection) });
      const uri = await environment.nft.onChain(environment.collection).tokenURI([1n]);
      expect(answer).toEqual({ tokens: [{ token_id: '1', uri }] });
      const shown = await fetch(Object.assign(new URL(uri), { port: new URL(environment.network.url).port }));
      expect(await shown.json()).toMatchObject({ name: 'Red' });
    },
    errors: {
      403: (clients, { nft, collection }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.uploadTokenMetadata({
          uploadTokenMetadataRequest: red(collection),
        }),
      404: (clients, { collection }) =>
        withWallet(clients, NO_WALLET).api.uploadTokenMetadata({ uploadTokenMetadataRequest: red(collection) }),
    },
  },
  {
    id: 'generate-image',
    does: 'draws an image that everybody can fetch, once for a key',
    call: (clients, environment) =>
      ofPayer(clients, environment).api.generateImage({ generateImageRequest: { prompt: 'A garden', width: 16 } }),
    look: async (clients, environment) => {
      const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
      const picture = await startReceiver((_, response) => void response.end(ONE_PIXEL));
      const generateImageRequest = {
        prompt: 'A garden',
        width: 40,
        height: 30,
        format: 'webp' as const,
        high_fidelity: true,
        source_image_urls: [`${picture.url}/1.gif`],
      };
      const first = await api.generateImage({ generateImageRequest });
      expect(await api.generateImage({ generateImageRequest })).toEqual(first);
      await picture.stop();
      const port = new URL(environment.network.url).port;
      const shown = await fetch(Object.assign(new URL(first.image_url), { port }));
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
    },
    errors: {
      403: (clients, { nft }) =>
        withWallet(clients, nft.otherAccount.wallet.id).api.generateImage({ generateImageRequest: { prompt: 'A' } }),
      404: (clients) => withWallet(clients, NO_WALLET).api.generateImage({ generateImageRequest: { prompt: 'A' } }),
      409: async (clients, environment) => {
        const { api } = ofPayer(clients, environment, { 'idempotency-key': randomUUID() });
        await api.generateImage({ generateImageRequest: { prompt: 'One', width: 8, height: 8 } });
        return api.generateImage({ generateImageRequest: { prompt: 'Another', width: 8, height: 8 } });
      },
    },
  },
);
