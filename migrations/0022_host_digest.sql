-- What an account signed is taken once, whichever app hands it in.
create index host_delivery_digest on host_delivery (fid, digest);
