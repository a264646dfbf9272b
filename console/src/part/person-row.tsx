import type { ComponentChildren } from 'preact';
import { Face } from './face.js';
import { personPath } from './link.js';
import { counted } from './text.js';

interface Person {
  readonly fid: number;
  readonly username: string;
  readonly display_name?: string | null;
  readonly pfp_url?: string | null;
  readonly follower_count?: number;
  readonly profile?: { readonly bio?: { readonly text?: string | null } };
}

/** An account in a list. */
export const PersonRow = ({ user, children }: { readonly user: Person; readonly children?: ComponentChildren }) => (
  <div>
    <Face fid={user.fid} url={user.pfp_url} />
    <div class="grow">
      <a href={personPath(user.fid)}>
        <b>{user.display_name || user.username}</b> <span class="faint">@{user.username}</span>
      </a>
      <div class="soft small cut">{user.profile?.bio?.text}</div>
    </div>
    {children ??
      (user.follower_count === undefined ? null : (
        <span class="faint small nowrap">{counted(user.follower_count, 'follower')}</span>
      ))}
  </div>
);
