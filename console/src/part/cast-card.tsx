import type { components } from '../api/schema.js';
import { CastMarks } from './cast-mark.js';
import { CastText } from './cast-text.js';
import { EmbedView } from './embed.js';
import { Face } from './face.js';
import { castPath, channelPath, personPath } from './link.js';
import { Time } from './time.js';

export type CastView = components['schemas']['Cast'];

/** One cast with its author, embeds and counts. */
export const CastCard = ({ cast, isHere = false }: { readonly cast: CastView; readonly isHere?: boolean }) => {
  const { author, channel, embeds } = cast;
  return (
    <article class={`cast${isHere ? ' here' : ''}`}>
      <a href={personPath(author.fid)} aria-label={author.display_name ?? author.username}>
        <Face fid={author.fid} url={author.pfp_url} size="m" />
      </a>
      <div>
        <div class="by">
          <a href={personPath(author.fid)}>
            <b>{author.display_name || author.username}</b>
          </a>
          <span class="faint">@{author.username}</span>
          {channel ? (
            <span class="faint">
              in <a href={channelPath(channel.id)}>/{channel.id}</a>
            </span>
          ) : null}
          <a href={castPath(cast.hash)}>
            <Time at={cast.timestamp} />
          </a>
        </div>
        <CastText cast={cast} />
        {embeds.map((embed, n) => (
          <EmbedView key={n} embed={embed} />
        ))}
        <CastMarks cast={cast} />
      </div>
    </article>
  );
};
