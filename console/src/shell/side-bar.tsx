import { CONSOLE } from '../api/base.js';
import { type Session, signOut } from '../api/session.js';
import { Face } from '../part/face.js';
import { Castle, Icon } from '../part/icon.js';
import { isWithin, sectionsFor } from './section.js';

interface NavigationProps {
  readonly session: Session;
  /** Of the open page, below the console. */
  readonly path: string;
}

export const SideBar = ({ session, path }: NavigationProps) => (
  <aside class="side">
    <a class="mark" href={`${CONSOLE}/`}>
      <Castle />
      Castellan
      {session.is_development ? <span class="place">dev</span> : null}
    </a>
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
          </a>
        ))}
      </nav>
    ))}
    <div class="who">
      <Face fid={session.app_fid ?? 1} />
      <div class="grow">
        <b class="small">{session.organization_name}</b>
        <div class="faint small cut">key {session.key_name}</div>
      </div>
      <button type="button" class="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
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
