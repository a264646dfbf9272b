import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { session } from '../api/session.js';
import { Card, Page } from '../part/page.js';
import { Empty } from '../part/state.js';
import { sectionOf } from '../shell/section.js';

/** In the place of a page that reads what the key of the session may not. */
export const MissingScope = () => {
  const { path } = useLocation();
  const section = sectionOf(path.slice(CONSOLE.length));
  return (
    <Page title={section?.title ?? 'Not for this key'}>
      <Card>
        <Empty title={`This page needs a key with the scope ${section?.scope}`}>
          The key of this session, {session.value?.key_name}, may: {session.value?.scopes.join(', ')}.
        </Empty>
      </Card>
    </Page>
  );
};
