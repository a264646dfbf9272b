import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { type Health, useHealth } from '../api/health.js';
import type { Session } from '../api/session.js';
import { Chip, type Tone } from '../part/page.js';
import { Inspector } from './inspector.js';
import { SearchField } from './search-field.js';
import { sectionsFor } from './section.js';
import { SideBar, SignedIn, SubTabs, TabBar } from './side-bar.js';

const CHIPS: Readonly<Record<Health['status'], readonly [tone: Tone, words: string]>> = {
  ready: ['ok', 'Ready'],
  late: ['warn', 'Late'],
  unavailable: ['bad', 'Not ready'],
};

const LiveChip = () => {
  const health = useHealth(15_000, false);
  if (health === undefined) return null;
  const [tone, words] = CHIPS[health.status];
  return <Chip tone={tone}>{words}</Chip>;
};

/** `g` and a letter opens a section; `?` lists the letters. */
const useKeys = (session: Session, showKeys: () => void): void => {
  const { route } = useLocation();
  useEffect(() => {
    let isAwaited = false;
    const press = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyping || ctrlKey || metaKey || altKey) return;
      if (key === '?') showKeys();
      const sections = sectionsFor(session.scopes).flatMap((group) => group.sections);
      const section = isAwaited ? sections.find((one) => one.key === key) : undefined;
      if (section) route(`${CONSOLE}${section.path}`);
      isAwaited = key === 'g';
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [route, session, showKeys]);
};

const KeyList = ({ session, close }: { readonly session: Session; readonly close: () => void }) => (
  <dialog class="card keys" open aria-label="Keys" onKeyDown={({ key }) => key === 'Escape' && close()}>
    <header>
      <h2>Keys</h2>
      <button type="button" class="button right" autofocus onClick={close}>
        Close
      </button>
    </header>
    <div class="list">
      <div>
        <kbd>/</kbd> Find anything
      </div>
      {sectionsFor(session.scopes)
        .flatMap(({ sections }) => sections)
        .map(({ key, title }) => (
          <div key={key}>
            <kbd>g</kbd>
            <kbd>{key}</kbd> {title}
          </div>
        ))}
    </div>
  </dialog>
);

/** What surrounds every page. */
export const Shell = ({ session, children }: { readonly session: Session; readonly children: ComponentChildren }) => {
  const { path } = useLocation();
  const [isInspecting, setInspecting] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const within = path.slice(CONSOLE.length) || '/';
  useKeys(session, () => setKeysShown(true));
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <div class={`shell${isInspecting ? ' inspecting' : ''}`}>
        <SideBar session={session} path={within} />
        <div class="middle">
          <div class="top">
            <SearchField scopes={session.scopes} />
            <span class="wide">
              <LiveChip />
            </span>
            <button
              type="button"
              aria-label="How this page is made"
              class={`button made${isInspecting ? ' on' : ''}`}
              aria-expanded={isInspecting}
              onClick={() => setInspecting(!isInspecting)}
            >
              <span class="wide">How this page is made</span>
              <span class="narrow">How</span>
            </button>
          </div>
          <SubTabs session={session} path={within} />
          {children}
          {within === '/' ? (
            <div class="below">
              <SignedIn session={session} />
            </div>
          ) : null}
        </div>
        {isInspecting ? <Inspector close={() => setInspecting(false)} /> : null}
      </div>
      <TabBar session={session} path={within} />
      {areKeysShown ? <KeyList session={session} close={() => setKeysShown(false)} /> : null}
    </>
  );
};
