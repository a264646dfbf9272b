import type { Call } from './call.js';
import { readChannel, readProfile } from './tool/profile.js';
import { readCast, readThread } from './tool/thread.js';

/** A resource that is read by its URI; its text is that of the tool of the same name. */
export interface ResourceKind {
  readonly name: string;
  /** A template of RFC 6570 with one variable, `id`. */
  readonly template: string;
  readonly title: string;
  readonly description: string;
  /** What `id` must look like. */
  readonly pattern: RegExp;
  /** @returns the text. @throws CallError */
  read(id: string, call: Call): Promise<string>;
}

const HASH = /^0x[0-9a-fA-F]{40}$/;

export const resources: readonly ResourceKind[] = [
  {
    name: 'user',
    template: 'castellan://user/{id}',
    title: 'A person',
    description: 'The profile of an account, by its fid.',
    pattern: /^[1-9]\d{0,14}$/,
    read: (id, call) => readProfile.run({ fid: Number(id) }, call),
  },
  {
    name: 'cast',
    template: 'castellan://cast/{id}',
    title: 'A cast',
    description: 'One cast, by its hash.',
    pattern: HASH,
    read: (id, call) => readCast(call, id),
  },
  {
    name: 'thread',
    template: 'castellan://thread/{id}',
    title: 'A thread',
    description: 'A cast with the casts above it and the first replies below it, by its hash.',
    pattern: HASH,
    read: (id, call) => readThread.run({ cast: id, above: true }, call),
  },
  {
    name: 'channel',
    template: 'castellan://channel/{id}',
    title: 'A channel',
    description: 'Description, lead, moderators and counts of a channel, by its id.',
    pattern: /^[^/]{1,100}$/,
    read: (id, call) => readChannel.run({ channel_id: id }, call),
  },
];
