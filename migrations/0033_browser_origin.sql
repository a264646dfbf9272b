-- Origins of pages (`https://app.example`, `http://localhost:3000`) that may read with the id of the app in place of a key.
alter table app add column browser_origins text[] not null default '{}';
