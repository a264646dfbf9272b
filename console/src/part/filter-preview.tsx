import { useEffect, useState } from 'preact/hooks';
import { type BodyOf, type ResponseOf, write } from '../api/client.js';
import { Problem } from './action.js';
import { castPath, personPath } from './link.js';
import { counted } from './text.js';
import { Time } from './time.js';

type Subscription = BodyOf<'/portal/webhook-preview', 'post'>['subscription'];
type Preview = ResponseOf<'/portal/webhook-preview', 'post'>;

interface Answered {
  /** The filters that were asked about, as JSON. */
  readonly to: string;
  readonly preview?: Preview;
  readonly problem?: string;
}

/** After the last key. */
const PAUSE_MS = 400;

const sentenceOf = ({ compared, matches }: Preview): string => {
  if (compared === 0) return 'No such event has happened lately.';
  const whole = `the last ${counted(compared, 'event')} of these kinds`;
  if (matches === 0) return `None of ${whole} matches.`;
  return matches === compared ? `All of ${whole} match.` : `${matches} of ${whole} match.`;
};

/** Which of the newest events the filters of a form match, while one types. */
export const FilterPreview = ({ subscription }: { readonly subscription: Subscription }) => {
  const text = JSON.stringify(subscription);
  const [answer, setAnswer] = useState<Answered>();
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => {
      write('post', '/portal/webhook-preview', { subscription: JSON.parse(text) as Subscription }).then(
        (preview) => {
          if (!isOld) setAnswer({ to: text, preview });
        },
        ({ message }: Error) => {
          if (!isOld) setAnswer({ to: text, problem: message });
        },
      );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
  // What another text was answered with says nothing about this one.
  const { preview, problem } = answer?.to === text ? answer : ({} as Partial<Answered>);
  return (
    <div class="filter-preview" aria-live="polite">
      {problem ? (
        <Problem text={problem} />
      ) : (
        <b class="small">{preview ? sentenceOf(preview) : 'Looking for events.'}</b>
      )}
      {preview?.events.map((one) => (
        <div key={one.event_id} class="row small">
          <Time at={one.at} />
          <span class="mono">{one.type}</span>
          <a class="link" href={personPath(one.fid)}>
            account {one.fid}
          </a>
          {one.cast_hash ? (
            <a class="cut grow" dir="auto" href={castPath(one.cast_hash)}>
              {one.text || 'the cast'}
            </a>
          ) : null}
        </div>
      ))}
    </div>
  );
};
