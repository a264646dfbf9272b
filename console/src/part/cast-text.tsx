import type { ComponentChildren } from 'preact';
import type { components } from '../api/schema.js';
import { channelPath, personPath } from './link.js';

type Cast = components['schemas']['Cast'];

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly show: (text: string) => ComponentChildren;
}

const isHttp = (url: string): boolean => /^https?:\/\//i.test(url);

/** A link that leads away: without the address of this page, and only to http and https. */
export const OutLink = ({ url, children }: { readonly url: string; readonly children: ComponentChildren }) =>
  isHttp(url) ? (
    <a class="link" href={url} target="_blank" rel="noreferrer noopener ugc">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );

const URL_IN_TEXT = /https?:\/\/[^\s<>"']+[^\s<>"'.,:;!?)\]]/gi;

const urlMarks = (text: string): Mark[] =>
  [...text.matchAll(URL_IN_TEXT)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    show: (part) => <OutLink url={part}>{part}</OutLink>,
  }));

/** The text of a cast with its mentions, channels and addresses as links. Text is only ever text here. */
export const CastText = ({ cast }: { readonly cast: Pick<Cast, 'text'> & Partial<Cast> }) => {
  const { text, mentioned_profiles: people = [], mentioned_channels: channels = [] } = cast;
  const marks: Mark[] = [
    ...people.flatMap(({ fid }, n) => {
      const range = cast.mentioned_profiles_ranges?.[n];
      return range
        ? [
            {
              ...range,
              show: (part: string) => (
                <a class="link" href={personPath(fid)}>
                  {part}
                </a>
              ),
            },
          ]
        : [];
    }),
    ...channels.flatMap(({ id }, n) => {
      const range = cast.mentioned_channels_ranges?.[n];
      return range
        ? [
            {
              ...range,
              show: (part: string) => (
                <a class="link" href={channelPath(id)}>
                  {part}
                </a>
              ),
            },
          ]
        : [];
    }),
    ...urlMarks(text),
  ].sort((one, other) => one.start - other.start);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end, show } of marks) {
    if (start < at) continue;
    parts.push(text.slice(at, start), show(text.slice(start, end)));
    at = end;
  }
  return (
    <div class="text" dir="auto">
      {parts}
      {text.slice(at)}
    </div>
  );
};
