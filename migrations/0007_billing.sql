-- Subscriptions, usage and debts of organizations.

-- One for each organization. Its row is the lock under which all money and all use of the organization changes.
create table subscription (
  organization_id uuid primary key references organization (id),
  -- id in the plan file; null: the configured default plan, which is never charged
  plan_id text,
  -- as the payment provider words it: trialing, active, past_due, canceled, unpaid, incomplete; null: there is none
  status text,
  trial_end timestamptz,
  -- the running period: from, inclusive, until, exclusive; `anchor_day` is the day of the month that periods begin on,
  -- kept because a period that begins on the 31st ends on the 30th of a shorter month and is back on the 31st after it
  period_start timestamptz not null,
  period_end timestamptz not null,
  anchor_day smallint not null check (anchor_day between 1 and 31),
  -- compute units used in the running period
  used_units bigint not null default 0,
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
  -- the provider's time of the newest processed event
  provider_event_at timestamptz,
  -- counts updates from the provider: a process whose data another process has updated meanwhile fetches it again
  provider_version bigint not null default 0,
  check (period_end > period_start),
  constraint subscription_canceled_plan_check check (status is distinct from 'canceled' or plan_id is null)
);
create index subscription_period_end on subscription (period_end);

-- Quoted costs of plan changes; an upgrade within ten minutes charges that, if the subscription has not changed.
create table plan_preview (
  organization_id uuid not null references organization (id),
  plan_id text not null,
  -- the subscription and the price of the plan at that time: a preview with other values is not used
  from_plan_id text,
  period_start timestamptz not null,
  paid_cents bigint not null,
  balance_cents bigint not null,
  price_cents bigint not null,
  -- the use that the credit was computed with: later use counts into the new period
  used_units bigint not null,
  -- value of the unused units
  unused_cents bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, plan_id)
);

-- Written before the payment provider is called. pending -> charged -> applied, or failed; a change without a charge
-- goes from pending to applied. keep: a pending downgrade is withdrawn.
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
  -- the use that the credit was computed with
  used_units bigint not null,
  -- start of the period that it was computed in; the new one of an upgrade begins at created_at
  period_start timestamptz not null,
  provider text not null,
  -- id of the provider's invoice or payment, once known
  provider_reference text,
  -- the provider's response: all that is needed to apply a charge that was made
  charged jsonb,
  failure text,
  -- outcome of its invoice that the provider reported before the change was applied; used when it is
  told_reference text,
  told_state text check (told_state in ('paid', 'void')),
  -- key of the request, for the audit log; null: an operator's command
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
-- An empty table may be truncated: nothing is lost.
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

-- The last batch of usage that each process wrote for each organization. A process that did not receive the response to a
-- write repeats it with the same number, and the batch counts once.
create table usage_flush (
  process_id uuid not null,
  organization_id uuid not null references organization (id),
  sequence bigint not null,
  written_at timestamptz not null,
  primary key (process_id, organization_id)
);

-- Processed events of the payment provider: each counts once.
create table payment_event (
  id text primary key,
  type text not null,
  organization_id uuid references organization (id),
  occurred_at timestamptz not null,
  received_at timestamptz not null
);

-- Changes of an organization, by a key over HTTP or by an operator's command (no key).
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
