import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Router, useLocation } from 'preact-iso';
import { CONSOLE } from './api/base.js';
import { ServiceError } from './api/client.js';
import { forgetWrites } from './api/recorded.js';
import { readSession, session } from './api/session.js';
import { Channel } from './page/channel.js';
import { Channels } from './page/channels.js';
import { Collections } from './page/collections.js';
import { Configuration } from './page/configuration.js';
import { Conversation } from './page/conversation.js';
import { Deliveries } from './page/deliveries.js';
import { Health } from './page/health.js';
import { Home } from './page/home.js';
import { Ingest } from './page/ingest.js';
import { Jobs } from './page/jobs.js';
import { Keys } from './page/keys.js';
import { Live } from './page/live.js';
import { MiniApps } from './page/mini-apps.js';
import { MissingScope } from './page/missing-scope.js';
import { NotFound } from './page/not-found.js';
import { Organizations } from './page/organizations.js';
import { People } from './page/people.js';
import { PersonPage } from './page/person.js';
import { Plan } from './page/plan.js';
import { RequestPage } from './page/request.js';
import { RequestLog } from './page/request-log.js';
import { Requests } from './page/requests.js';
import { SignIn } from './page/sign-in.js';
import { Signers } from './page/signers.js';
import { Subscriptions } from './page/subscriptions.js';
import { Usage } from './page/usage.js';
import { Wallets } from './page/wallets.js';
import { WebhookPage } from './page/webhook.js';
import { Webhooks } from './page/webhooks.js';
import { Failure } from './part/state.js';
import { isAllowed, sectionOf } from './shell/section.js';
import { Shell } from './shell/shell.js';

/** Milliseconds until the service is asked again that did not say who is signed in. */
const RETRY_MS = 3_000;

const PAGES: readonly (readonly [path: string, component: () => JSX.Element])[] = [
  ['/', Home],
  ['/people', People],
  ['/people/:fid', PersonPage],
  ['/casts/:hash', Conversation],
  ['/channels', Channels],
  ['/channels/:id', Channel],
  ['/live', Live],
  ['/requests', Requests],
  ['/requests/:id', RequestPage],
  ['/keys', Keys],
  ['/webhooks', Webhooks],
  ['/webhooks/:id', WebhookPage],
  ['/write', Signers],
  ['/log', RequestLog],
  ['/collections', Collections],
  ['/mini-apps', MiniApps],
  ['/subscriptions', Subscriptions],
  ['/wallets', Wallets],
  ['/usage', Usage],
  ['/plan', Plan],
  ['/health', Health],
  ['/deliveries', Deliveries],
  ['/ingest', Ingest],
  ['/jobs', Jobs],
  ['/configuration', Configuration],
  ['/organizations', Organizations],
];

/** A key gets the pages of its scopes: of another one, every read would be refused. */
const Pages = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <Router onRouteChange={forgetWrites}>
    {PAGES.map(([path, component]) => (
      <Route
        key={path}
        path={`${CONSOLE}${path}`}
        component={isAllowed(sectionOf(path), scopes) ? component : MissingScope}
      />
    ))}
    <Route default component={NotFound} />
  </Router>
);

/** Asks who is signed in, and shows the pages, or the sign-in. */
export const App = () => {
  const [failure, setFailure] = useState<Error>();
  const { query, route, url } = useLocation();
  const link = query.link;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      try {
        await readSession();
        setFailure(undefined);
      } catch (error) {
        setFailure(error instanceof ServiceError ? error : new Error(String(error)));
        timer = setTimeout(() => void read(), RETRY_MS);
      }
    };
    void read();
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const { pathname, search } = new URL(url, location.origin);
    if (pathname === CONSOLE) route(`${CONSOLE}/${search}`, true);
  }, [url, route]);
  if (failure) return <Failure what="The session" error={failure} />;
  if (session.value === undefined) return null;
  if (session.value === null || link) return <SignIn link={link} />;
  return (
    <Shell key={session.value.key_uuid} session={session.value}>
      <Pages scopes={session.value.scopes} />
    </Shell>
  );
};
