import { useState } from 'preact/hooks';
import type { components } from '../api/schema.js';
import { OutLink } from './cast-text.js';
import { castPath } from './link.js';

type Embed = NonNullable<components['schemas']['Cast']['embeds']>[number];
type UrlEmbed = Extract<Embed, { url: string }>;

const hostOf = (url: string): string => {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
};

const Picture = ({ url }: { readonly url: string }) => {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <OutLink url={url}>{hostOf(url)}</OutLink>;
  return (
    <img class="picture" src={url} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setBroken(true)} />
  );
};

const Preview = ({ url, metadata }: UrlEmbed) => {
  const { content_type: type, html } = metadata ?? {};
  if (type?.startsWith('image/')) return <Picture url={url} />;
  const picture = html?.ogImage?.[0]?.url;
  const title = html?.ogTitle;
  if (!title) return <OutLink url={url}>{url}</OutLink>;
  return (
    <div class="preview">
      {picture ? <img src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" /> : <i />}
      <div>
        <OutLink url={url}>{title}</OutLink>
        {html.ogDescription ? <span class="soft small">{html.ogDescription}</span> : null}
        <span class="faint small">{hostOf(url)}</span>
      </div>
    </div>
  );
};

/** What a cast embeds: a picture, a page with its preview, or another cast. */
export const EmbedView = ({ embed }: { readonly embed: Embed }) => {
  if ('url' in embed) return <Preview {...embed} />;
  const { cast } = embed;
  if (!cast) return null;
  return (
    <a class="quote" href={castPath(cast.hash)}>
      <b>{'username' in cast.author ? cast.author.username : cast.author.fid}</b> <span class="soft">{cast.text}</span>
    </a>
  );
};
