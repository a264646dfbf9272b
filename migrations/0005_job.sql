-- When a scheduled job last began, so that several processes together run it once in its interval.
create table job_run (
  name text primary key,
  began_at timestamptz not null
);
