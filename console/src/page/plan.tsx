import { useState } from 'preact/hooks';
import { get } from '../api/client.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { Problem, useAction } from '../part/action.js';
import { Card, Page } from '../part/page.js';
import { dollars, PlanChange, type Previewed } from '../part/plan-change.js';
import { Loading } from '../part/state.js';
import { formatNumber } from '../part/text.js';

/** The plan of the organization, and what another one would cost now. */
export const Plan = () => {
  const read = useApi('/portal/organization/billing');
  const plans = useApi('/operator/plans', undefined, { enabled: may('operator') });
  const [wanted, setWanted] = useState('');
  const [previewed, setPreviewed] = useState<Previewed>();
  const [said, setSaid] = useState<string>();
  const { run, isBusy, error } = useAction();
  const look = () =>
    run(async () => {
      setSaid(undefined);
      setPreviewed({ id: wanted, preview: await get('/portal/subscription/upgrade/preview', { newPlan: wanted }) });
    });
  const bill = read.data;
  const end = bill?.subscription_end?.slice(0, 10);
  return (
    <Page
      title={bill ? `${bill.organization_name} has the plan ${bill.effective_plan}` : 'Plan'}
      note={
        bill
          ? `${bill.has_active_subscription ? `The subscription is ${bill.subscription_status}` : 'No subscription'}${
              end ? `; the period ends on ${end}` : ''
            }.`
          : undefined
      }
    >
      <Card title="Change the plan">
        <Loading read={read} what="The plan" rows={2}>
          {() => (
            <form
              class="form pad"
              onSubmit={(event) => {
                event.preventDefault();
                void look();
              }}
            >
              <div class="field">
                <label for="plan">New plan</label>
                {plans.data ? (
                  <select
                    id="plan"
                    class="input"
                    value={wanted}
                    required
                    onChange={({ currentTarget }) => setWanted(currentTarget.value)}
                  >
                    <option value="">Choose</option>
                    {plans.data.plans
                      .filter(({ is_offered }) => is_offered)
                      .map(({ id, name, price_cents: cents, compute_units: units }) => (
                        <option key={id} value={id}>
                          {name}, {dollars(cents / 100)} a month, {units === null ? 'all' : formatNumber(units)} units
                        </option>
                      ))}
                  </select>
                ) : (
                  <input
                    id="plan"
                    class="input"
                    value={wanted}
                    required
                    placeholder="growth"
                    onInput={({ currentTarget }) => setWanted(currentTarget.value)}
                  />
                )}
                <span class="help">You see what it costs before anything is paid.</span>
              </div>
              <Problem text={error} />
              <div class="row">
                <button type="submit" class="button first" disabled={isBusy}>
                  Preview the change
                </button>
                {said ? <span role="status">{said}</span> : null}
              </div>
            </form>
          )}
        </Loading>
      </Card>
      {previewed ? (
        <PlanChange
          previewed={previewed}
          isKept={previewed.id === bill?.effective_plan}
          end={end}
          close={(words) => {
            setPreviewed(undefined);
            setSaid(words);
          }}
        />
      ) : null}
    </Page>
  );
};
