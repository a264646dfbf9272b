import { useState } from 'preact/hooks';

interface FaceProps {
  readonly fid: number;
  readonly url?: string | null | undefined;
  readonly size?: 'm' | 'l';
}

/** The picture of an account; a colour made of its number while there is none, and where it cannot be loaded. */
export const Face = ({ fid, url, size }: FaceProps) => {
  const [failed, setFailed] = useState<string>();
  const name = `face f${(fid % 5) + 2}${size ? ` ${size}` : ''}`;
  if (!url || failed === url) return <span class={name} />;
  return (
    <img class={name} src={url} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setFailed(url)} />
  );
};
