-- Domains that sign-in messages (EIP-4361) may be for; none: any domain. Lower case, with a port where it is not the
-- default one: `app.example`, `localhost:3000`.
alter table app add column sign_in_domains text[] not null default '{}';
