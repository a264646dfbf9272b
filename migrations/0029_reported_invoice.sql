-- The outcome that the provider reported for the invoice of a change, until the change is applied.
alter table plan_change rename column told_reference to reported_reference;
alter table plan_change rename column told_state to reported_state;
