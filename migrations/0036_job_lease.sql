-- Which run of a scheduled job is under way, and until when that counts unless it is renewed: a run whose process died
-- ends by itself.
alter table job_run
  add column claimed_by uuid,
  add column claimed_until timestamptz;
