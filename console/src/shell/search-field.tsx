import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { get, ServiceError } from '../api/client.js';
import type { Session } from '../api/session.js';
import { Icon } from '../part/icon.js';
import { castPath, channelPath, personPath } from '../part/link.js';
import { type Found, recognize } from './find.js';

interface Hit {
  readonly label: string;
  readonly note: string;
  readonly href: string;
}

const nothing = (error: unknown): [] => {
  if (error instanceof ServiceError && error.status < 500 && error.status > 0) return [];
  throw error;
};

const lookUp = async (found: Found): Promise<Hit[]> => {
  if (found.kind === 'open') return [{ label: found.label, note: 'open', href: found.href }];
  if (found.kind === 'address') {
    const users = await get('/v2/social/user/bulk-by-address/', { addresses: found.address }).catch(nothing);
    return Object.values(users)
      .flat()
      .map(({ fid, username }) => ({ label: `@${username}`, note: 'has this address', href: personPath(fid) }));
  }
  if (found.kind === 'url') {
    const answer = await get('/v2/social/cast/', { identifier: found.url, type: 'url' }).catch(nothing);
    return 'cast' in answer ? [{ label: answer.cast.text, note: 'cast', href: castPath(answer.cast.hash) }] : [];
  }
  const [people, channels] = await Promise.all([
    get('/v2/social/user/search/', { q: found.words, limit: 5 }).catch(nothing),
    get('/v2/social/channel/search/', { q: found.words, limit: 3 }).catch(nothing),
  ]);
  return [
    ...('result' in people ? people.result.users : []).map(({ fid, username, display_name: name }) => ({
      label: `${name ?? ''} @${username}`.trim(),
      note: 'person',
      href: personPath(fid),
    })),
    ...('channels' in channels ? channels.channels : []).map(({ id }) => ({
      label: `/${id}`,
      note: 'channel',
      href: channelPath(id),
    })),
  ];
};

/** One field finds everything: while one types, with the arrows and Enter. */
export const SearchField = ({ scopes }: Pick<Session, 'scopes'>) => {
  const what = scopes.includes('read') ? 'person, cast, channel, hash, address or URL' : 'page';
  const { route } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ readonly by: string; readonly hits: readonly Hit[] }>();
  const [chosen, setChosen] = useState(0);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const hits = await Promise.all(recognize(text, scopes).map((one) => lookUp(one).catch((): Hit[] => [])));
      if (!isCurrent) return;
      setFound({ by: text, hits: hits.flat() });
      setChosen(0);
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, scopes]);

  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
        event.preventDefault();
        input.current?.focus();
      }
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  // What was found by another text is not what one looks for now.
  const isLooking = found?.by !== text;
  const hits = isLooking ? [] : found.hits;
  const open = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    setOpen(false);
    setText('');
    input.current?.blur();
    route(hit.href);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') open(hits[chosen]);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && text.trim() !== '';
  return (
    <search class="find">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={`Find a ${what}`}
        aria-expanded={isShown}
        aria-controls="found"
        aria-activedescendant={isShown && hits.length > 0 ? `found-${chosen}` : undefined}
        placeholder={`${what.charAt(0).toUpperCase()}${what.slice(1)}`}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={press}
      />
      <kbd>/</kbd>
      {isShown ? (
        <div class="card found" id="found" role="listbox" aria-label="Found">
          {hits.map((hit, n) => (
            <button
              key={`${hit.href} ${hit.note}`}
              id={`found-${n}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={n === chosen}
              onClick={() => open(hit)}
            >
              <span class="grow cut">{hit.label}</span>
              <span class="faint small">{hit.note}</span>
            </button>
          ))}
          {hits.length === 0 ? <div class="soft small pad">{isLooking ? 'Looking' : 'Nothing found'}</div> : null}
        </div>
      ) : null}
    </search>
  );
};
