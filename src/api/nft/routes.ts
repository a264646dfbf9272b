import type { Operation } from '../http/operation.js';
import { deployErc721 } from './deploy-erc721.js';
import { fetchNftMetadata } from './fetch-nft-metadata.js';
import { generateImage } from './generate-image.js';
import { mintNft } from './mint-nft.js';
import { simulateNftMint } from './simulate-nft-mint.js';
import { uploadTokenMetadata } from './upload-token-metadata.js';

export const nftRoutes: readonly Operation[] = [
  deployErc721,
  simulateNftMint,
  mintNft,
  uploadTokenMetadata,
  fetchNftMetadata,
  generateImage,
];
