-- Organizations, what they subscribe to, what they use, what they owe.

alter table organization
  add column status text not null default 'active' check (status in ('active', 'inactive')),
  add column billing_email text;

-- One for each organization. Its row is the lock under which all money and all use of the organization changes.
create table subscription (
  organization_id uuid primary key references organization (id),
  -- of the plan file; null: the default plan of the configuration, which nobody pays for
  plan_id text,
  -- as the payment provider words it: trialing, active, past_due, canceled, unpaid, incomplete; null: there is none
  status text,
  trial_end timestamptz,
  -- the running period: from, inclusive, until, exclusive; `anchor_day` is the day of the month that periods begin on,
  -- kept because a period that begins on the 31st ends on the 30th of a shorter month and is back on the 31st after it
  period_start timestamptz not null,
  period_end timestamptz not null,
  anchor_day smallint not null check (anchor_day between 1 and 31),
  -- compute units used in the running period, and those leased to processes and not yet used
  used_units bigint not null default 0,
  reserved_units bigint not null default 0 check (reserved_units >= 0),
  -- cents that settled the running period, paid or taken from credit: what its unused units are worth is never more
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  -- cents of credit that the next invoices take off; the ledger's account `credit` holds the same, negated
  credit_cents bigint not null default 0 check (credit_cents >= 0),
  -- a change that waits for the end of the period
  next_plan_id text,
  -- which payment provider keeps it, under which names
  provider text not null default 'ledger',
  customer_id text unique,
  provider_subscription_id text unique,
  product_id text,
  payment_brand text,
  payment_last4 text,
  -- the provider's time of the newest event that was taken in
  provider_event_at timestamptz,
  -- counts what was taken in: who asked the provider before somebody else wrote its answer down asks again
  provider_version bigint not null default 0,
  check (period_end > period_start)
);
create index subscription_period_end on subscription (period_end);

-- What a change would cost was told; an upgrade within ten minutes charges just that, if the subscription is as it was.
create table plan_preview (
  organization_id uuid not null references organization (id),
  plan_id text not null,
  -- what the subscription was, and the price of the plan: where one differs now, the preview counts no more
  from_plan_id text,
  period_start timestamptz not null,
  paid_cents bigint not null,
  balance_cents bigint not null,
  price_cents bigint not null,
  -- the use that the credit was reckoned with: what is used after it counts into the new period
  used_units bigint not null,
  -- worth of the unused units
  unused_cents bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, plan_id)
);

-- Written before the payment provider is called. pending -> charged -> applied, or failed; a change without a charge
-- goes from pending to applied. keep: a downgrade that waited is taken back.
create table plan_change (
  -- also the idempotency key of the calls to the provider
  id uuid primary key,
  organization_id uuid not null references organization (id),
  kind text not null check (kind in ('upgrade', 'downgrade', 'keep')),
  from_plan_id text,
  to_plan_id text not null,
  state text not null check (state in ('pending', 'charged', 'applied', 'failed')),
  price_cents bigint not null,
  -- for unused units of the period that ends
  unused_cents bigint not null check (unused_cents >= 0),
  -- of the unused units and of an earlier balance: what the charge is lower by
  credit_cents bigint not null check (credit_cents >= 0),
  charge_cents bigint not null check (charge_cents >= 0),
  -- the use that the credit was reckoned with
  used_units bigint not null,
  -- of the period that it was reckoned in; the new one of an upgrade begins at created_at
  period_start timestamptz not null,
  provider text not null,
  -- of the provider's invoice or payment, once known
  provider_reference text,
  -- what the provider answered: all that is needed to apply a charge that was made
  charged jsonb,
  failure text,
  -- who asked, for the audit log; null: an operator's command
  api_key_id uuid references api_key (id),
  request_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index plan_change_underway on plan_change (organization_id) where state in ('pending', 'charged');
create index plan_change_organization on plan_change (organization_id, created_at);

create table invoice (
  id uuid primary key,
  organization_id uuid not null references organization (id),
  plan_change_id uuid references plan_change (id),
  plan_id text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  price_cents bigint not null,
  credit_cents bigint not null,
  amount_cents bigint not null check (amount_cents >= 0 and amount_cents = price_cents - credit_cents),
  state text not null check (state in ('open', 'paid', 'void')),
  provider_reference text unique,
  created_at timestamptz not null,
  paid_at timestamptz
);
create index invoice_organization on invoice (organization_id, created_at);
create unique index invoice_plan_change on invoice (plan_change_id);
create index invoice_open on invoice (organization_id) where state = 'open';

-- Double entry, append-only: the entries of a transaction add up to zero, and so do those of an organization.
create table ledger_entry (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organization (id),
  transaction_id uuid not null,
  -- receivable, revenue, credit (what we owe the organization: negative), cash
  account text not null check (account in ('receivable', 'revenue', 'credit', 'cash')),
  -- debit positive
  amount_cents bigint not null,
  plan_change_id uuid references plan_change (id),
  invoice_id uuid references invoice (id),
  created_at timestamptz not null
);
create index ledger_entry_organization on ledger_entry (organization_id, id);
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger_entry is append-only';
end
$$;
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_ledger_change();
-- An empty one may be emptied: nothing is lost.
create function refuse_ledger_truncate() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_entry) then
    raise exception 'ledger_entry is append-only';
  end if;
  return null;
end
$$;
create trigger ledger_entry_no_truncate before truncate on ledger_entry
  for each statement execute function refuse_ledger_truncate();

-- Use by day (UTC), operation and key.
create table usage_day (
  organization_id uuid not null references organization (id),
  day date not null,
  api_key_id uuid not null references api_key (id),
  operation text not null,
  calls bigint not null,
  units bigint not null,
  primary key (organization_id, day, api_key_id, operation)
);

-- The last batch of use that each process wrote: a batch whose outcome it never heard of is written again, and counts once.
create table usage_flush (
  process_id uuid primary key,
  sequence bigint not null,
  written_at timestamptz not null
);

-- Units that a process holds for an organization; a lease that is not renewed comes back.
create table unit_lease (
  process_id uuid not null,
  organization_id uuid not null references organization (id),
  units bigint not null check (units >= 0),
  expires_at timestamptz not null,
  primary key (process_id, organization_id)
);
create index unit_lease_end on unit_lease (organization_id, expires_at);

-- Events of the payment provider that were taken in: each counts once.
create table payment_event (
  id text primary key,
  type text not null,
  organization_id uuid references organization (id),
  occurred_at timestamptz not null,
  received_at timestamptz not null
);

-- Who changed what of an organization: a key over HTTP, or an operator's command (no key).
create table audit_log (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organization (id),
  api_key_id uuid references api_key (id),
  action text not null,
  detail jsonb not null,
  request_id text,
  created_at timestamptz not null
);
create index audit_log_organization on audit_log (organization_id, id);

insert into subscription (organization_id, period_start, period_end, anchor_day)
select id, created_at, ((created_at at time zone 'UTC') + interval '1 month') at time zone 'UTC',
       extract(day from created_at at time zone 'UTC') from organization;
