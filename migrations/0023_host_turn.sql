-- Domains take turns: the next events of one are found without reading those of the others.
create index host_delivery_turn on host_delivery (domain, next_at, position) where state = 'pending';
