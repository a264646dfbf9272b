import type { Cast } from './cast.js';

/** What casts refer to. */
export interface CastReferences {
  /** Fids that are shown in full. */
  readonly accounts: Set<number>;
  /** Fids that are shown only by name and picture. */
  readonly users: Set<number>;
  readonly channelIds: Set<string>;
  readonly channelUrls: Set<string>;
  readonly embeddedAuthors: Set<number>;
}

const addApp = ({ row }: Cast, { users }: CastReferences): void => {
  if (row.appFid !== null) users.add(row.appFid);
};

const addEmbedded = (cast: Cast, references: CastReferences): void => {
  const { fid, mentions } = cast.row;
  references.embeddedAuthors.add(fid);
  references.users.add(fid);
  for (const mentioned of mentions ?? []) references.users.add(mentioned);
  if (cast.channelUrl !== null) references.channelUrls.add(cast.channelUrl);
  addApp(cast, references);
  for (const inner of cast.embedded.values()) addEmbedded(inner, references);
};

const addCast = (cast: Cast, references: CastReferences): void => {
  const { fid, mentions } = cast.row;
  references.accounts.add(fid);
  for (const mentioned of mentions ?? []) references.accounts.add(mentioned);
  for (const id of cast.channelIds) references.channelIds.add(id);
  if (cast.channelUrl !== null) references.channelUrls.add(cast.channelUrl);
  addApp(cast, references);
  for (const embedded of cast.embedded.values()) addEmbedded(embedded, references);
};

/** @returns what these casts refer to, and the casts that they embed */
export const castReferences = (casts: Iterable<Cast>): CastReferences => {
  const references: CastReferences = {
    accounts: new Set(),
    users: new Set(),
    channelIds: new Set(),
    channelUrls: new Set(),
    embeddedAuthors: new Set(),
  };
  for (const cast of casts) addCast(cast, references);
  return references;
};
