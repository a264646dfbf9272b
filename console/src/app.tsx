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
import { Shell } from './shell/shell.js';

const Pages = () => (
  <Router onRouteChange={forgetWrites}>
    <Route path={`${CONSOLE}/`} component={Home} />
    <Route path={`${CONSOLE}/people`} component={People} />
    <Route path={`${CONSOLE}/people/:fid`} component={PersonPage} />
    <Route path={`${CONSOLE}/casts/:hash`} component={Conversation} />
    <Route path={`${CONSOLE}/channels`} component={Channels} />
    <Route path={`${CONSOLE}/channels/:id`} component={Channel} />
    <Route path={`${CONSOLE}/live`} component={Live} />
    <Route path={`${CONSOLE}/requests`} component={Requests} />
    <Route path={`${CONSOLE}/requests/:id`} component={RequestPage} />
    <Route path={`${CONSOLE}/keys`} component={Keys} />
    <Route path={`${CONSOLE}/webhooks`} component={Webhooks} />
    <Route path={`${CONSOLE}/webhooks/:id`} component={WebhookPage} />
    <Route path={`${CONSOLE}/write`} component={Signers} />
    <Route path={`${CONSOLE}/log`} component={RequestLog} />
    <Route path={`${CONSOLE}/collections`} component={Collections} />
    <Route path={`${CONSOLE}/mini-apps`} component={MiniApps} />
    <Route path={`${CONSOLE}/subscriptions`} component={Subscriptions} />
    <Route path={`${CONSOLE}/wallets`} component={Wallets} />
    <Route path={`${CONSOLE}/usage`} component={Usage} />
    <Route path={`${CONSOLE}/plan`} component={Plan} />
    <Route path={`${CONSOLE}/health`} component={Health} />
    <Route path={`${CONSOLE}/deliveries`} component={Deliveries} />
    <Route path={`${CONSOLE}/ingest`} component={Ingest} />
    <Route path={`${CONSOLE}/jobs`} component={Jobs} />
    <Route path={`${CONSOLE}/configuration`} component={Configuration} />
    <Route path={`${CONSOLE}/organizations`} component={Organizations} />
    <Route default component={NotFound} />
  </Router>
);

/** Asks who is signed in, and shows the pages, or the sign-in. */
export const App = () => {
  const [failure, setFailure] = useState<Error>();
  const { query, route, url } = useLocation();
  const link = query.link;
  useEffect(() => {
    readSession().catch((error: unknown) =>
      setFailure(error instanceof ServiceError ? error : new Error(String(error))),
    );
  }, []);
  useEffect(() => {
    const { pathname, search } = new URL(url, location.origin);
    if (pathname === CONSOLE) route(`${CONSOLE}/${search}`, true);
  }, [url, route]);
  if (failure) return <Failure what="The session" error={failure} />;
  if (session.value === undefined) return null;
  if (session.value === null || link) return <SignIn link={link} />;
  return (
    <Shell session={session.value}>
      <Pages />
    </Shell>
  );
};
