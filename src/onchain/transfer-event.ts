import { type Hex, keccak256, stringToBytes } from 'viem';

/** First topic of a `Transfer` of ERC-20 and of ERC-721. */
export const TRANSFER: Hex = keccak256(stringToBytes('Transfer(address,address,uint256)'));
/** ERC-20 indexes sender and recipient; ERC-721 also indexes the token. */
export const ERC20_TOPICS = 3;
