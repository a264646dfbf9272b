import type { Audience } from './visibility.js';

/**
 * What lists are made from, so that a kept page of a list can tell whether anything it was made from changed: a kind of
 * thing and the account that it belongs to, as one number. Two of them may share a number (a fid above 2^49, two apps
 * with equal ends of their ids): then a page is read anew without need, and never kept too long.
 */
export type ListSource = number;

const KINDS = 16;

const source =
  (kind: number) =>
  (fid: number): ListSource =>
    fid * KINDS + kind;

/** Casts and recasts by the account. */
export const feedOf = source(0);
/** Likes and recasts by the account, and whether the casts that it reacted to are stored. */
export const reactionsOf = source(1);
/** Follows by the account. */
export const followsOf = source(2);
/** Follows of the account. */
export const followersOf = source(3);
/** Reactions to casts of the account, replies to it, mentions and quotes of it. */
export const answersTo = source(4);
/** Mutes by the account in any app, blocks by it and of it. */
export const relationsOf = source(5);
/** Marks of what the account has seen, in any app. */
export const seenBy = source(6);
/** Keys that may sign for the account, and the apps behind them. */
export const signersOf = source(7);

const banned = source(8);
/** Hex digits of an id or a hash that count: what a number holds exactly beside the kind. */
const DIGITS = 11;

/** Accounts that the app banned. @param appId a UUID */
export const bansOf = (appId: string): ListSource =>
  banned(Number.parseInt(appId.replaceAll('-', '').slice(-DIGITS), 16));

/** What decides whom an audience sees. */
export const audienceSources = ({ appId, viewer }: Audience): ListSource[] =>
  viewer === null ? [bansOf(appId)] : [bansOf(appId), relationsOf(viewer)];

/** What an account says of itself, its counters, its signers' apps. */
export const accountItself = source(10);
const cast = source(11);

/** A cast and its counters. @param hash hex without 0x */
export const castItself = (hash: string): ListSource => cast(Number.parseInt(hash.slice(0, DIGITS), 16));

/** @param hash 20 bytes. @returns the same number as for its hex digits */
export const castItselfOfBytes = (hash: Uint8Array): ListSource =>
  castItself(Buffer.from(hash.buffer, hash.byteOffset, DIGITS).toString('hex'));

/** Which accounts there are and which names they show: what shows a name would have to say who might take it. */
export const NAMES: ListSource = source(12)(0);

/** Where accounts say they are, all of them. */
export const PLACES: ListSource = source(9)(0);
