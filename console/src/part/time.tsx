import { signal } from '@preact/signals';
import { formatAgo, formatAgoInSentence } from './text.js';

/** All relative times of a page move together. */
const now = signal(new Date());
setInterval(() => {
  now.value = new Date();
}, 5_000);

/** @param at ISO 8601 */
export const Time = ({ at, class: name = 'faint small nowrap' }: { readonly at: string; readonly class?: string }) => {
  const date = new Date(at);
  return (
    <time class={name} dateTime={at} title={date.toLocaleString()}>
      {formatAgo(date, now.value)}
    </time>
  );
};

/** A time in a sentence. @param at ISO 8601 */
export const TimeAgo = ({ at }: { readonly at: string }) => {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {formatAgoInSentence(date, now.value)}
    </time>
  );
};
