import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { session } from '../api/session.js';
import { Mono } from '../part/copy.js';
import { personPath } from '../part/link.js';
import { Card, Chip, Page } from '../part/page.js';
import { PersonRow } from '../part/person-row.js';
import { Empty, Failure, Loading } from '../part/state.js';
import { formatPeriod } from '../part/text.js';
import { Time } from '../part/time.js';

type Contract = components['schemas']['Subscription'];
const PROVIDER = { subscription_provider: 'stp' } as const;

/** @returns what a period of the contract costs, in words */
const priceOf = ({ price, token }: Contract): string => {
  const amount = Number(price.tokens_per_period) / 10 ** token.decimals;
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 6 })} ${token.symbol} for ${formatPeriod(price.period_duration_seconds)}`;
};

const ContractRow = ({ one, children }: { readonly one: Contract; readonly children?: preact.ComponentChildren }) => (
  <div>
    <span class="grow">
      <b>{one.metadata.title || 'Without a name'}</b> <span class="faint">{one.metadata.symbol}</span>
      <div class="soft small">
        {priceOf(one)}, chain {one.chain}, contract <Mono text={one.contract_address} />
      </div>
    </span>
    {children}
  </div>
);

const Lists = ({ fid }: { readonly fid: number }) => {
  const query = { fid, ...PROVIDER };
  const created = useApi('/v2/social/user/subscriptions_created/', query);
  const subscribers = useApi('/v2/social/user/subscribers/', query as never);
  const subscribed = useApi('/v2/social/user/subscribed_to/', query);
  // Without a network none of the three can be read, for the same reason.
  if (created.error) return <Failure what="The subscriptions" error={created.error} />;
  return (
    <>
      <Card title="Contracts of the account">
        <Loading read={created} what="The contracts" rows={2}>
          {({ subscriptions_created: lists = [] }) => {
            const contracts = lists.flatMap(({ subscriptions_created: some }) => some);
            return contracts.length === 0 ? (
              <Empty title="This account sells no subscription">
                A subscription is a contract of the subscription token protocol that the account deploys with its
                wallet. The service finds it by the events of its factory.
              </Empty>
            ) : (
              <div class="list">
                {contracts.map((one) => (
                  <ContractRow key={`${one.chain} ${one.contract_address}`} one={one} />
                ))}
              </div>
            );
          }}
        </Loading>
      </Card>
      <Card title="Subscribers">
        <Loading read={subscribers} what="The subscribers" rows={2}>
          {({ subscribers: list = [] }) =>
            list.length === 0 ? (
              <Empty title="Nobody has subscribed">Accounts that hold a token of its contracts show here.</Empty>
            ) : (
              <div class="list">
                {list.map(({ user }, n) => (
                  <PersonRow key={n} user={user as never} />
                ))}
              </div>
            )
          }
        </Loading>
      </Card>
      <Card title="Subscriptions of the account">
        <Loading read={subscribed} what="The subscriptions" rows={2}>
          {({ subscribed_to: list = [] }) =>
            list.length === 0 ? (
              <Empty title="This account subscribes to nothing">What it pays for shows here, and until when.</Empty>
            ) : (
              <div class="list">
                {list.map((one) => {
                  const isOver = new Date(one.expires_at) < new Date();
                  return (
                    <ContractRow key={`${one.chain} ${one.contract_address}`} one={one}>
                      <a href={personPath(one.creator.fid)} class="faint small nowrap">
                        @{one.creator.username}
                      </a>
                      <Chip tone={isOver ? 'plain' : 'ok'}>{isOver ? 'Ended' : 'Runs'}</Chip>
                      <Time at={one.expires_at} />
                    </ContractRow>
                  );
                })}
              </div>
            )
          }
        </Loading>
      </Card>
    </>
  );
};

/** Onchain subscriptions of an account: what it sells, who has bought, what it buys. */
export const Subscriptions = () => {
  const { query, route } = useLocation();
  const fid = Number(query.fid) || session.value?.app_fid || 1;
  const [typed, setTyped] = useState(String(fid));
  return (
    <Page
      title={`Subscriptions of account ${fid}`}
      note="Onchain subscriptions, read from the contracts themselves: what an account sells, who pays, and what it pays for."
    >
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          route(`${CONSOLE}/subscriptions?fid=${typed}`);
        }}
      >
        <input
          class="input short"
          type="number"
          min={1}
          required
          aria-label="Account"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button first">
          Read this account
        </button>
        <a class="link" href={personPath(fid)}>
          Its page
        </a>
      </form>
      <Lists key={fid} fid={fid} />
    </Page>
  );
};
