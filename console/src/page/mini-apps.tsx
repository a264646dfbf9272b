import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useApi, usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { may, session } from '../api/session.js';
import { Campaigns } from '../part/campaign.js';
import { OutLink } from '../part/cast-text.js';
import { CopyButton } from '../part/copy.js';
import { personPath } from '../part/link.js';
import { More } from '../part/more.js';
import { NotificationForm } from '../part/notification-form.js';
import { Card, Chip, Page, Wide } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';
import { Time } from '../part/time.js';

const TABS = { catalog: 'Catalog', faults: 'Manifests with faults', campaigns: 'Notifications' } as const;
type Tab = keyof typeof TABS;
type Own = components['schemas']['AppMiniAppResponse'];

const ManifestChip = ({ manifest }: { readonly manifest: Own['manifest'] }) => {
  if (manifest === null) return <Chip tone="warn">Not in the catalog</Chip>;
  if (manifest.fetched_at === null) return <Chip tone="warn">Not read yet</Chip>;
  return <Chip tone={manifest.failures === 0 ? 'ok' : 'bad'}>{manifest.failures === 0 ? 'Valid' : 'Not valid'}</Chip>;
};

const OwnApp = ({ own }: { readonly own: Own }) => {
  if (own.domain === null)
    return (
      <Empty title="This app has no mini app yet">
        With one, hosts send its events here, and the service notifies its users. The operator says where it is:
        <pre class="pre">castellan app set {session.value?.app_uuid} --miniapp miniapp.example</pre>
      </Empty>
    );
  const { tokens, manifest } = own;
  return (
    <div class="list">
      <div>
        <span class="grow">
          Manifest of <b>{own.domain}</b>
          {manifest?.fetched_at ? (
            <div class="faint small">
              read <Time at={manifest.fetched_at} class="" />, again <Time at={manifest.next_fetch_at} class="" />
            </div>
          ) : null}
          {manifest?.failure ? <div class="soft small">{manifest.failure}</div> : null}
          {manifest === null ? (
            <div class="soft small">
              No cast has led the service to the domain yet. <code>castellan miniapp fetch {own.domain}</code> reads it.
            </div>
          ) : null}
        </span>
        <ManifestChip manifest={manifest} />
      </div>
      <div>
        <span class="grow">
          Put this as <code>webhookUrl</code> into the manifest
          <div class="faint small mono cut">{own.event_url}</div>
        </span>
        <CopyButton text={own.event_url} />
      </div>
      <div>
        <span class="grow">Users who may be notified</span>
        <span class={tokens.enabled === 0 ? 'faint' : undefined}>{formatNumber(tokens.enabled)}</span>
        <span class="faint small">
          {formatNumber(tokens.disabled)} turned it off, {formatNumber(tokens.invalid)} invalid
        </span>
      </div>
    </div>
  );
};

const Catalog = () => {
  const read = usePages('/v2/social/frame/catalog/', { limit: 50 });
  return (
    <Loading read={read} what="The catalog">
      {({ pages }) => (
        <div class="list">
          {pages[0]?.frames.length === 0 ? (
            <Empty title="No mini app was found yet">
              Domains that casts embed are looked at; those with a valid manifest are listed here.
            </Empty>
          ) : null}
          {pages.flatMap(({ frames }) =>
            frames.map((frame) => {
              const app = frame.manifest?.miniapp ?? frame.manifest?.frame;
              return (
                <div key={frame.frames_url}>
                  {app?.icon_url ? (
                    <img class="face m" src={app.icon_url} alt="" loading="lazy" referrerpolicy="no-referrer" />
                  ) : (
                    <span class="face m f3" />
                  )}
                  <span class="grow">
                    <OutLink url={frame.frames_url}>{frame.title ?? frame.frames_url}</OutLink>{' '}
                    <span class="faint">{app?.primary_category}</span>
                    <div class="soft small cut">{app?.subtitle ?? app?.description}</div>
                  </span>
                  {frame.author ? (
                    <a href={personPath(frame.author.fid)} class="faint small nowrap">
                      @{frame.author.username}
                    </a>
                  ) : null}
                  <Chip tone="ok">Valid</Chip>
                </div>
              );
            }),
          )}
          <More pages={read} />
        </div>
      )}
    </Loading>
  );
};

const Faults = () => {
  const read = usePages('/portal/mini-app-faults', { limit: 50 });
  return (
    <Loading read={read} what="The faults">
      {({ pages }) => (
        <>
          {pages[0]?.faults.length === 0 ? (
            <Empty title="Every manifest that was read is valid">
              A domain whose manifest is not valid shows here, with what is wrong, and is read again by itself.
            </Empty>
          ) : (
            <Wide label="Manifests with faults">
              <table>
                <thead>
                  <tr>
                    <th>Domain</th>
                    <th>What is wrong</th>
                    <th class="num">Attempts</th>
                    <th>Read</th>
                    <th>Again</th>
                  </tr>
                </thead>
                <tbody>
                  {pages.flatMap(({ faults }) =>
                    faults.map((one) => (
                      <tr key={one.domain}>
                        <td>
                          <b>{one.domain}</b>
                          <div class="faint small">{one.is_listed ? 'still listed' : 'not listed'}</div>
                        </td>
                        <td class="reason">{one.failure}</td>
                        <td class="num">{one.failures}</td>
                        <td>{one.fetched_at ? <Time at={one.fetched_at} /> : null}</td>
                        <td>
                          <Time at={one.next_fetch_at} />
                        </td>
                      </tr>
                    )),
                  )}
                </tbody>
              </table>
            </Wide>
          )}
          <More pages={read} />
        </>
      )}
    </Loading>
  );
};

const titleOf = ({ domain, tokens, manifest }: Own): string => {
  if (domain === null) return 'Mini apps of the network';
  if (manifest !== null && manifest.failures > 0) return `The manifest of ${domain} is not valid`;
  return tokens.enabled === 0
    ? `Nobody lets ${domain} notify them yet`
    : `${domain} may notify ${counted(tokens.enabled, 'user')}`;
};

/** The mini app of the app, what it sent, and the mini apps of the network. */
export const MiniApps = () => {
  const { query, path } = useLocation();
  const [isSending, setSending] = useState(false);
  const own = useApi('/portal/mini-app', undefined, { every: 30_000 });
  const tab: Tab = query.tab !== undefined && query.tab in TABS ? (query.tab as Tab) : 'catalog';
  const domain = own.data?.domain ?? undefined;
  return (
    <Page
      title={own.data ? titleOf(own.data) : 'Mini apps'}
      note="A mini app is a web page that clients open beside casts. Its manifest says who made it, and where its events go."
      actions={
        domain !== undefined && may('write') ? (
          <button type="button" class="button first" aria-expanded={isSending} onClick={() => setSending(!isSending)}>
            Notify its users
          </button>
        ) : undefined
      }
    >
      {isSending && domain !== undefined ? (
        <Card title="New notification">
          <NotificationForm domain={domain} />
        </Card>
      ) : null}
      <Card title="Your mini app">
        <Loading read={own} what="The mini app" rows={2}>
          {(data) => <OwnApp own={data} />}
        </Loading>
      </Card>
      <Card>
        <nav class="tabs" aria-label="Lists">
          {(Object.entries(TABS) as [Tab, string][]).map(([key, title]) => (
            <a key={key} href={`${path}?tab=${key}`} aria-current={key === tab ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {tab === 'catalog' ? <Catalog /> : null}
        {tab === 'faults' ? <Faults /> : null}
        {tab === 'campaigns' ? <Campaigns /> : null}
      </Card>
    </Page>
  );
};
