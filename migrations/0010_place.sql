-- Where accounts are, each place once: the protocol rounds locations to two decimals, so that a city's accounts share
-- a few places. The nearest places come out of the index in order of distance, and the accounts of each in order of
-- fid, however many live there. Rows stay when their last account leaves: an empty place costs one look.
create table place (
  latitude double precision not null,
  longitude double precision not null,
  -- On the unit sphere, where the nearest in space is the nearest on the ground. A pole has one point whatever its
  -- longitude, and the 180th meridian is the same from both sides.
  point cube not null generated always as (
    cube(array[
      cos(radians(latitude)) * cos(radians(case when abs(latitude) = 90 then 0 when longitude = -180 then 180 else longitude end)),
      cos(radians(latitude)) * sin(radians(case when abs(latitude) = 90 then 0 when longitude = -180 then 180 else longitude end)),
      sin(radians(latitude))
    ])
  ) stored,
  primary key (latitude, longitude)
);
create index place_point on place using gist (point);
insert into place (latitude, longitude)
  select distinct latitude, longitude from account where latitude is not null and longitude is not null;

create index account_location on account (latitude, longitude, fid) where latitude is not null;
alter table account drop column place;
