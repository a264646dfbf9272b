/** Why the service ends a stream, in words for the program that reads it. */
export const END_REASONS = {
  slow: 'The events were not read for a minute. Open the stream again from this id.',
  gone: 'The next events are older than what is kept. Open the stream again with since=0 to get what is kept.',
  key: 'The API key was revoked or has ended.',
  stopping: 'The service is stopping. Open the stream again from this id.',
} as const;

export type EndReason = keyof typeof END_REASONS;
