/** Maximum of rows that a check returns. */
const SHOWN = 100;

const sumOf = (account: string): string =>
  `coalesce((select sum(e.amount_cents) from ledger_entry e where e.invoice_id = i.id and e.account = '${account}'), 0)`;

/**
 * Checks of the ledger, each a select of (place, stored, expected) like those of `audit.ts`. They only read stored
 * data, so a difference comes from a bug, or from a manual change of the database.
 */
export const BILLING_CHECKS: Readonly<Record<string, string>> = {
  'ledger_entry.transaction': `select transaction_id::text as "where", sum(amount_cents)::text as stored, '0' as expected
     from ledger_entry group by transaction_id
    having sum(amount_cents) <> 0 or count(distinct organization_id) <> 1 limit ${SHOWN}`,
  'ledger_entry.organization': `select organization_id::text as "where", sum(amount_cents)::text as stored, '0' as expected
     from ledger_entry group by organization_id having sum(amount_cents) <> 0 limit ${SHOWN}`,
  'subscription.credit_cents': `select s.organization_id::text as "where", s.credit_cents::text as stored, l.cents::text as expected
     from subscription s cross join lateral (
       select coalesce(-sum(e.amount_cents), 0) as cents from ledger_entry e
        where e.organization_id = s.organization_id and e.account = 'credit') l
    where s.credit_cents <> l.cents limit ${SHOWN}`,
  // The amount paid for the current period: the price of a paid invoice, the credit used by an open one, nothing for a
  // void one. A payment for a period that never started became credit and does not count.
  'subscription.paid_cents': `select s.organization_id::text as "where", s.paid_cents::text as stored,
            array_to_string(p.settled, ' or ') as expected
     from subscription s cross join lateral (
       select array_agg(distinct v.cents) as settled from (
         select case i.state when 'paid' then i.price_cents when 'open' then i.credit_cents else 0 end as cents
           from invoice i where i.organization_id = s.organization_id and i.period_start = s.period_start
          union all
         select 0 where s.plan_id is null or not exists (
                  select from invoice i where i.organization_id = s.organization_id and i.period_start = s.period_start
                     and not exists (
                       select from ledger_entry e where e.organization_id = i.organization_id and e.account = 'credit'
                          and e.invoice_id is null and e.amount_cents = -i.price_cents and e.created_at = i.created_at))
       ) v) p
    where s.paid_cents <> all (p.settled) limit ${SHOWN}`,
  'subscription.used_units': `select organization_id::text as "where", used_units::text as stored, '0 or more' as expected
     from subscription where used_units < 0 limit ${SHOWN}`,
  'subscription.plan_id': `select organization_id::text as "where", 'none, with ' || provider_subscription_id as stored,
            'the plan of the subscription' as expected
     from subscription where plan_id is null and status = 'active' and provider_subscription_id is not null limit ${SHOWN}`,
  // The invoice's receivable, cash and revenue entries; an upgrade also reverses the revenue of unused units.
  'invoice.amount_cents': `select "where", stored, expected from (
       select i.id::text as "where", i.state,
              concat_ws('/', ${sumOf('receivable')}, ${sumOf('cash')}, ${sumOf('revenue')}) as stored,
              concat_ws('/', case when i.state = 'open' then i.amount_cents else 0 end,
                        case when i.state = 'paid' then i.amount_cents else 0 end,
                        coalesce(c.unused_cents, 0) - case when i.state = 'void' then 0 else i.price_cents end) as expected
         from invoice i left join plan_change c on c.id = i.plan_change_id) booked
    where stored <> expected limit ${SHOWN}`,
  'plan_change.invoice': `select c.id::text as "where", count(i.id)::text || ' invoices of ' || coalesce(sum(i.amount_cents), 0) as stored,
            case when c.kind = 'upgrade' and c.state = 'applied' then '1 invoices of ' || c.charge_cents
                 else '0 invoices of 0' end as expected
     from plan_change c left join invoice i on i.plan_change_id = c.id
    group by c.id
   having count(i.id) <> (c.kind = 'upgrade' and c.state = 'applied')::int
       or coalesce(sum(i.amount_cents), c.charge_cents) <> c.charge_cents limit ${SHOWN}`,
  'plan_change.state': `select id::text as "where", state || ' since ' || updated_at as stored, 'applied or failed' as expected
     from plan_change where state in ('pending', 'charged') and updated_at < now() - interval '2 hours' limit ${SHOWN}`,
  'plan_change.provider_reference': `select id::text as "where", 'failed, but charged as ' || provider_reference as stored,
            'applied, or paid back' as expected
     from plan_change where state = 'failed' and provider_reference is not null limit ${SHOWN}`,
};
