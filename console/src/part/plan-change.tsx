import { type ResponseOf, write } from '../api/client.js';
import { refresh } from '../api/query.js';
import { Problem, useAction } from './action.js';
import { Card } from './page.js';
import { formatNumber, isLimited } from './text.js';

type Preview = ResponseOf<'/portal/subscription/upgrade/preview', 'get'>;

export interface Previewed {
  /** What the preview was asked for: names of plans need not be unique. */
  readonly id: string;
  readonly preview: Preview;
}

const currency = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
export const dollars = (amount: number): string => currency.format(amount);

const unitsOf = (limit: number): string => (isLimited(limit) ? formatNumber(limit) : 'no limit');

const Figures = ({ preview }: { readonly preview: Preview }) => {
  const { newPlan, currentPlan, credit, chargeAmount, billingDateUnchanged: isLater } = preview;
  return (
    <table>
      <tbody>
        <tr>
          <td>Price of {newPlan.name} a month</td>
          <td class="num">{dollars(newPlan.price)}</td>
        </tr>
        {isLater ? null : (
          <>
            <tr>
              <td>Credit for {formatNumber(credit.unusedUnits)} unused units</td>
              <td class="num">{dollars(0 - credit.creditAmount)}</td>
            </tr>
            <tr>
              <td>
                <b>Charged now</b>
              </td>
              <td class="num">
                <b>{dollars(chargeAmount)}</b>
              </td>
            </tr>
          </>
        )}
        <tr>
          <td>Units a period</td>
          <td class="num">
            {unitsOf(currentPlan.computeUnitsLimit)} to {unitsOf(newPlan.computeUnitsLimit)}
          </td>
        </tr>
      </tbody>
    </table>
  );
};

const whenOf = ({ billingDateUnchanged: isLater, usageCarriesOver }: Preview, end: string | undefined): string => {
  const when = isLater
    ? `The change comes at the end of the period${end ? `, on ${end}` : ''}. Nothing is charged or credited now.`
    : 'The change comes at once, and a new period begins.';
  return `${when} ${usageCarriesOver ? 'The units used so far still count until then.' : 'Units are counted from zero.'}`;
};

/** What a change of the plan costs, when it comes, and a button that makes it. */
export const PlanChange = ({
  previewed: { id, preview },
  isKept,
  end,
  close,
}: {
  readonly previewed: Previewed;
  /** It is the plan that the organization has: another change that was arranged is called off. */
  readonly isKept: boolean;
  /** Day on which the period ends. */
  readonly end: string | undefined;
  /** @param said what was done */
  readonly close: (said?: string) => void;
}) => {
  const { run, isBusy, error } = useAction();
  const { newPlan, currentPlan, chargeAmount, billingDateUnchanged: isLater } = preview;
  const change = () =>
    run(async () => {
      const { effectiveImmediately } = await write('post', '/portal/subscription/upgrade', { newPlan: id });
      await refresh('/portal/organization/billing', '/portal/organization/usage');
      const when = effectiveImmediately ? 'now' : 'from the end of the period on';
      close(isKept ? `The plan stays ${newPlan.name}.` : `The plan is ${newPlan.name} ${when}.`);
    });
  const later = isKept ? 'Call the arranged change off' : 'Change at the end of the period';
  return (
    <Card title={isKept ? `${currentPlan.name} goes on` : `${currentPlan.name} to ${newPlan.name}`}>
      {isKept ? null : <Figures preview={preview} />}
      <div class="pad form">
        <p class="soft">
          {isKept ? 'The change that was arranged does not come. Nothing is charged.' : whenOf(preview, end)}
        </p>
        <Problem text={error} />
        <div class="row">
          <button type="button" class="button first" disabled={isBusy} onClick={() => void change()}>
            {isLater ? later : `Upgrade and pay ${dollars(chargeAmount)}`}
          </button>
          <button type="button" class="button" onClick={() => close()}>
            {isKept ? 'Leave it' : `Keep ${currentPlan.name}`}
          </button>
        </div>
      </div>
    </Card>
  );
};
