-- Use whose subscription somebody else had locked when it was written. It stands in usage_day already; who has the lock
-- next adds it to used_units. A row is covered by its process's lease on the organization, where there is one.
create table usage_waiting (
  id bigint generated always as identity primary key,
  process_id uuid not null,
  organization_id uuid not null references organization (id),
  units bigint not null check (units > 0)
);

-- What the provider told of the invoice of a change before the change was applied: taken in with it.
alter table plan_change
  add column told_reference text,
  add column told_state text check (told_state in ('paid', 'void'));

-- Who canceled has the default plan: so it was read, and now it is written so.
update subscription set plan_id = null where status = 'canceled' and plan_id is not null;
alter table subscription add constraint subscription_canceled_plan_check
  check (status is distinct from 'canceled' or plan_id is null);
