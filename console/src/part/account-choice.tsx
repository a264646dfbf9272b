import { Face } from './face.js';

interface Account {
  readonly username: string;
  readonly display_name?: string | null;
  readonly pfp_url?: string | null;
}

/** An account in the menu of those who may act. */
export const AccountChoice = ({
  fid,
  user,
  isOn = false,
  choose,
  disabled = false,
}: {
  readonly fid: number;
  /** undefined: not read yet, or without a profile. */
  readonly user: Account | undefined;
  readonly isOn?: boolean;
  readonly choose: () => void;
  readonly disabled?: boolean;
}) => (
  <button type="button" aria-pressed={isOn} disabled={disabled} onClick={choose}>
    <Face fid={fid} url={user?.pfp_url} />
    <span class="grow cut">
      <b>{user?.display_name || user?.username || `Account ${fid}`}</b>{' '}
      <span class="faint">@{user?.username ?? fid}</span>
    </span>
  </button>
);
