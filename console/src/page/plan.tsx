import { useState } from 'preact/hooks';
import { get, type ResponseOf, write } from '../api/client.js';
import { refresh, useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { Problem, useAction } from '../part/action.js';
import { Card, Page } from '../part/page.js';
import { Loading } from '../part/state.js';
import { formatNumber } from '../part/text.js';

type Preview = ResponseOf<'/portal/subscription/upgrade/preview', 'get'>;

const dollars = (amount: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount);

const PreviewOf = ({ preview, done }: { readonly preview: Preview; readonly done: () => void }) => {
  const { run, isBusy, error } = useAction();
  const { newPlan, currentPlan, credit, chargeAmount } = preview;
  const upgrade = () =>
    run(async () => {
      await write('post', '/portal/subscription/upgrade', { newPlan: newPlan.name } as never);
      await refresh('/portal/organization/billing', '/portal/organization/usage');
      done();
    });
  return (
    <Card title={`${currentPlan.name} to ${newPlan.name}`}>
      <table>
        <tbody>
          <tr>
            <td>Price of {newPlan.name} a month</td>
            <td class="num">{dollars(newPlan.price)}</td>
          </tr>
          <tr>
            <td>Credit for {formatNumber(credit.unusedUnits)} unused units</td>
            <td class="num">{dollars(-credit.creditAmount)}</td>
          </tr>
          <tr>
            <td>
              <b>Charged now</b>
            </td>
            <td class="num">
              <b>{dollars(chargeAmount)}</b>
            </td>
          </tr>
          <tr>
            <td>Units a period</td>
            <td class="num">
              {formatNumber(currentPlan.computeUnitsLimit)} to {formatNumber(newPlan.computeUnitsLimit)}
            </td>
          </tr>
        </tbody>
      </table>
      <div class="pad form">
        <Problem text={error} />
        <div class="row">
          <button type="button" class="button first" disabled={isBusy} onClick={() => void upgrade()}>
            Upgrade and pay {dollars(chargeAmount)}
          </button>
          <button type="button" class="button" onClick={done}>
            Keep {currentPlan.name}
          </button>
        </div>
      </div>
    </Card>
  );
};

/** The plan of the organization, and what another one would cost now. */
export const Plan = () => {
  const read = useApi('/portal/organization/billing');
  const plans = useApi('/operator/plans', undefined, { enabled: may('operator') });
  const [wanted, setWanted] = useState('');
  const [preview, setPreview] = useState<Preview>();
  const { run, isBusy, error } = useAction();
  const look = () =>
    run(async () => {
      setPreview(await get('/portal/subscription/upgrade/preview', { newPlan: wanted } as never));
    });
  const bill = read.data;
  return (
    <Page
      title={bill ? `${bill.organization_name} has the plan ${bill.effective_plan}` : 'Plan'}
      note={
        bill
          ? `${bill.has_active_subscription ? `The subscription is ${bill.subscription_status}` : 'No subscription'}${
              bill.subscription_end ? `; the period ends on ${bill.subscription_end.slice(0, 10)}` : ''
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
              <div>
                <button type="submit" class="button first" disabled={isBusy}>
                  Preview the change
                </button>
              </div>
            </form>
          )}
        </Loading>
      </Card>
      {preview ? <PreviewOf preview={preview} done={() => setPreview(undefined)} /> : null}
    </Page>
  );
};
