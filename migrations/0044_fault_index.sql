-- Pages of domains whose manifest has a fault, and the numbers of an app's notification tokens, read nothing else.
create index catalog_domain_fault on catalog_domain (domain) where failures > 0;
create index mini_app_token_status on mini_app_token (app_id, status);
