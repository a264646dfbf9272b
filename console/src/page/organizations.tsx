import { useState } from 'preact/hooks';
import { write } from '../api/client.js';
import { refresh, useApi, usePages } from '../api/query.js';
import type { components } from '../api/schema.js';
import { session } from '../api/session.js';
import { DangerousAction, Problem, useAction } from '../part/action.js';
import { More } from '../part/more.js';
import { Card, Chip, Page } from '../part/page.js';
import { Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';
import { TextField } from '../part/text-field.js';

type Organization = components['schemas']['OperatorOrganization'];

const NewOrganization = ({ made }: { readonly made: () => void }) => {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const { run, isBusy, error } = useAction();
  const create = () =>
    run(async () => {
      const { organization } = await write('post', '/operator/organizations', {
        name,
        ...(email === '' ? {} : { billing_email: email }),
      });
      await write('post', '/operator/apps', { organization_uuid: organization.uuid, name: `${name} app` });
      await refresh('/operator/organizations');
      made();
    });
  return (
    <form
      class="form pad"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <div class="two">
        <TextField id="organization-name" label="Name" required value={name} change={setName} />
        <TextField id="organization-email" label="Invoices go to" type="email" value={email} change={setEmail} />
      </div>
      <Problem text={error} />
      <div>
        <button type="submit" class="button first" disabled={isBusy}>
          Make the organization
        </button>
      </div>
    </form>
  );
};

const Row = ({ one }: { readonly one: Organization }) => {
  const isOwn = one.uuid === session.value?.organization_uuid;
  const set = async (status: 'active' | 'inactive') => {
    await write('put', '/operator/organization', { organization_uuid: one.uuid, status });
    await refresh('/operator/organizations');
  };
  const { run, isBusy, error } = useAction();
  return (
    <tr>
      <td>
        <b>{one.name}</b> {isOwn ? <span class="faint small">your own</span> : null}
        <div class="faint small">{one.billing_email}</div>
      </td>
      <td>
        <Chip tone={one.status === 'active' ? 'ok' : 'warn'}>{one.status === 'active' ? 'Active' : 'Suspended'}</Chip>
      </td>
      <td>{one.plan}</td>
      <td class={`num${one.compute_units_used === 0 ? ' faint' : ''}`}>{formatNumber(one.compute_units_used)}</td>
      <td>
        {isOwn ? null : one.status === 'active' ? (
          <DangerousAction
            label="Suspend"
            effect="All its keys stop within a second."
            name={one.name}
            work={() => set('inactive')}
          />
        ) : (
          <button type="button" class="button" disabled={isBusy} onClick={() => void run(() => set('active'))}>
            Let it in again
          </button>
        )}
        <Problem text={error} />
      </td>
    </tr>
  );
};

/** Whom the service serves, and what they use. */
export const Organizations = () => {
  const read = usePages('/operator/organizations', { limit: 50 });
  const plans = useApi('/operator/plans');
  const [isMaking, setMaking] = useState(false);
  const all = read.data?.pages.flatMap(({ organizations }) => organizations) ?? [];
  const suspended = all.filter(({ status }) => status !== 'active').length;
  return (
    <Page
      title={
        read.data
          ? `${counted(all.length, 'organization')}${suspended ? `, ${suspended} suspended` : ''}`
          : 'Organizations'
      }
      note={plans.data ? `Plans: ${plans.data.plans.map(({ name }) => name).join(', ')}.` : undefined}
      actions={
        <button type="button" class="button first" aria-expanded={isMaking} onClick={() => setMaking(!isMaking)}>
          Make an organization
        </button>
      }
    >
      {isMaking ? (
        <Card title="New organization">
          <NewOrganization made={() => setMaking(false)} />
        </Card>
      ) : null}
      <Card>
        <Loading read={read} what="The organizations">
          {() => (
            <div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>State</th>
                    <th>Plan</th>
                    <th class="num">Units this period</th>
                    <th>
                      <span class="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((one) => (
                    <Row key={one.uuid} one={one} />
                  ))}
                </tbody>
              </table>
              <More pages={read} />
            </div>
          )}
        </Loading>
      </Card>
    </Page>
  );
};
