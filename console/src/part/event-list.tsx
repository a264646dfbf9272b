import { useEffect, useRef, useState } from 'preact/hooks';
import { readStream, type StreamedEvent, type StreamState } from '../api/stream.js';
import { Problem } from './action.js';
import { EventRow } from './event-row.js';
import { Card, Chip } from './page.js';
import { Bones } from './state.js';

const STATES: Readonly<Record<StreamState, readonly [tone: 'ok' | 'warn' | 'bad', words: string]>> = {
  opening: ['warn', 'Connecting'],
  open: ['ok', 'Live'],
  waiting: ['warn', 'Reconnecting'],
  stopped: ['bad', 'Stopped'],
};

/** How far back a new page looks. */
const BACK_MS = 30_000;

/**
 * What happens, as it happens. It holds still while the pointer is over it, or when paused, and says how many wait.
 * @param most rows that stay
 */
export const EventList = ({ most }: { readonly most: number }) => {
  const [shown, setShown] = useState<readonly StreamedEvent[]>([]);
  const [waiting, setWaiting] = useState<readonly StreamedEvent[]>([]);
  const [state, setState] = useState<StreamState>('opening');
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(1);
  const [isPaused, setPaused] = useState(false);
  const holds = useRef(false);
  const newest = useRef<string>();

  const show = (): void => {
    setWaiting((events) => {
      setShown((old) => [...events, ...old].slice(0, most));
      return [];
    });
  };
  const hold = (isHeld: boolean): void => {
    holds.current = isHeld;
    if (!isHeld) show();
  };
  useEffect(() => {
    const leaving = new AbortController();
    setProblem(undefined);
    const since = newest.current ?? new Date(Date.now() - BACK_MS).toISOString();
    readStream(leaving.signal, {
      since,
      changed: setState,
      received: (event) => {
        newest.current = event.id;
        if (holds.current) setWaiting((events) => [event, ...events].slice(0, most));
        else setShown((events) => [event, ...events].slice(0, most));
      },
    }).catch((error: Error) => setProblem(error.message));
    return () => leaving.abort();
  }, [most, attempt]);

  const [tone, words] = STATES[state];
  return (
    <Card
      title="What happens"
      aside={
        <>
          {waiting.length > 0 ? <span class="soft small">{waiting.length} new </span> : null}
          <Chip tone={isPaused ? 'plain' : tone}>{isPaused ? 'Paused' : words}</Chip>{' '}
          <button
            type="button"
            class="button"
            aria-pressed={isPaused}
            onClick={() => {
              setPaused(!isPaused);
              hold(!isPaused);
            }}
          >
            {isPaused ? 'Go on' : 'Pause'}
          </button>
        </>
      }
    >
      {problem ? (
        <div class="row pad">
          <Problem text={problem} />
          <button type="button" class="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer only keeps the list still, which the button does, too */}
      <div class="list" onMouseEnter={() => hold(true)} onMouseLeave={() => hold(isPaused)}>
        {shown.length === 0 && state !== 'open' && state !== 'stopped' ? <Bones rows={4} /> : null}
        {shown.length === 0 && state === 'open' ? <div class="soft">Nothing yet. What comes shows here.</div> : null}
        {shown.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </div>
    </Card>
  );
};
