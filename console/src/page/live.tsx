import { EventList } from '../part/event-list.js';
import { Page } from '../part/page.js';

export const Live = () => (
  <Page title="Live" note="Every event as streams and webhooks get it, the newest first.">
    <EventList most={200} />
  </Page>
);
