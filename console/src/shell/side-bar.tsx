import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import { may, type Session, signOut } from '../api/session.js';
import { Problem, useAction } from '../part/action.js';
import { needsLook, useBacklogs } from '../part/backlog.js';
import { Face } from '../part/face.js';
import { Castle, Icon } from '../part/icon.js';
import { isWithin, sectionsFor } from './section.js';

interface NavigationProps {
  readonly session: Session;
  /** Of the open page, below the console. */
  readonly path: string;
}

interface Waiting {
  readonly count: number;
  /** For those who do not see where it stands. */
  readonly words: string;
}

/** @returns what waits for someone, by the path of its section */
const useWaiting = (): Readonly<Record<string, Waiting>> => {
  const hooks = useBacklogs(false).data?.webhooks.filter(needsLook).length ?? 0;
  const status = useApi('/operator/status', undefined, {
    enabled: may('operator'),
    every: 60_000,
    isListed: false,
  }).data;
  return {
    '/webhooks': { count: hooks, words: 'need a look' },
    '/ingest': { count: status?.refused_items ?? 0, words: 'refused' },
  };
};

const Count = ({ of }: { readonly of: Waiting | undefined }) =>
  of === undefined || of.count === 0 ? null : (
    <span class="count" title={`${of.count} ${of.words}`}>
      {of.count}
      <span class="unseen"> {of.words}</span>
    </span>
  );

const Groups = ({ session, path }: NavigationProps) => {
  const waiting = useWaiting();
  return (
    <>
      {sectionsFor(session.scopes).map(({ title, sections }, n) => (
        <nav class="nav" key={title} aria-label={title}>
          {n > 0 ? <h3>{title}</h3> : null}
          {sections.map((section) => (
            <a
              key={section.path}
              href={`${CONSOLE}${section.path}`}
              aria-current={isWithin(path, section) ? 'page' : undefined}
            >
              <Icon name={section.icon} />
              {section.title}
              <Count of={waiting[section.path]} />
            </a>
          ))}
        </nav>
      ))}
    </>
  );
};

/** Whose key is signed in, and how to sign it out. */
export const SignedIn = ({ session }: Pick<NavigationProps, 'session'>) => {
  const { run, isBusy, error } = useAction();
  return (
    <>
      <div class="who">
        <Face fid={session.app_fid ?? 1} />
        <div class="grow">
          <b class="small">{session.organization_name}</b>
          <div class="faint small cut">key {session.key_name}</div>
        </div>
        <button type="button" class="button" disabled={isBusy} onClick={() => void run(signOut)}>
          Sign out
        </button>
      </div>
      <Problem text={error} />
    </>
  );
};

export const SideBar = ({ session, path }: NavigationProps) => (
  <aside class="side">
    <a class="mark" href={`${CONSOLE}/`}>
      <Castle />
      Castellan
      {session.is_development ? <span class="place">dev</span> : null}
    </a>
    <Groups session={session} path={path} />
    <SignedIn session={session} />
  </aside>
);

/** On a phone: five tabs, and the sections of the open one above the page. */
export const TabBar = ({ session, path }: NavigationProps) => (
  <nav class="tabbar" aria-label="Sections">
    {sectionsFor(session.scopes).map(({ title, icon, sections }) => (
      <a
        key={title}
        href={`${CONSOLE}${sections[0]?.path}`}
        aria-current={sections.some((section) => isWithin(path, section)) ? 'page' : undefined}
      >
        <Icon name={icon} />
        {title === 'Start' ? 'Home' : title}
      </a>
    ))}
  </nav>
);

export const SubTabs = ({ session, path }: NavigationProps) => {
  const open = sectionsFor(session.scopes).find(({ sections }) => sections.some((one) => isWithin(path, one)));
  if (open === undefined || open.sections.length < 2) return null;
  return (
    <nav class="tabs sub" aria-label={open.title}>
      {open.sections.map((section) => (
        <a
          key={section.path}
          href={`${CONSOLE}${section.path}`}
          aria-current={isWithin(path, section) ? 'page' : undefined}
        >
          {section.title}
        </a>
      ))}
    </nav>
  );
};
